import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';

/** Whether the service can serve, and what is wrong when it cannot, or not fully. */
export interface ReadinessReport {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  /** One word for each thing that is not as it should be; never an address or a message of a server. */
  readonly reasons?: readonly string[];
}

export interface OperationsServerParts {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What `/metrics` answers, in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  readonly readiness: () => Promise<ReadinessReport>;
}

/** Most connections: a few scrapers and probes have one or two each. */
const MOST_CONNECTIONS = 64;

/**
 * The listener for whoever runs the service: `/metrics`, `/livez`, `/readyz`. It is plain HTTP without keys
 * or limits and belongs on a network that the public does not reach.
 */
export class OperationsServer {
  private constructor(
    private readonly server: Server,
    /** Where it listens: `http://127.0.0.1:9464`. */
    readonly origin: string,
  ) {}

  /** @throws what listening throws: the port is taken, the address is not of this machine */
  static async start(parts: OperationsServerParts): Promise<OperationsServer> {
    const shared = { ...parts, metrics: shareWhileUnderWay(parts.metrics) };
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
      answer(request, response, shared).catch(() => {
        // Half an answer cannot be taken back; a lost connection cannot be mistaken for a whole one.
        response.destroy();
      });
    });
    server.timeout = 10_000;
    server.maxConnections = MOST_CONNECTIONS;
    // What is pipelined behind a request would be worked out before it, and kept until it is read.
    server.maxRequestsPerSocket = 1;
    server.on('dropRequest', (_request, socket) => {
      socket.destroy();
    });
    server.on('connection', (socket) => {
      // For the whole life of a socket, whoever else listens to it or no longer does.
      socket.on('error', () => undefined);
    });
    server.listen(parts.port, parts.host);
    await once(server, 'listening');
    // A connection that could not be accepted, for want of memory or by a firewall, is that connection's trouble.
    server.on('error', () => undefined);
    const { address, family, port } = server.address() as AddressInfo;
    return new OperationsServer(server, `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    // What is still open belongs to a scraper that will find out by itself.
    this.server.closeAllConnections();
    await closed;
  }
}

/** However many ask at once, the work is done once. */
function shareWhileUnderWay(work: () => Promise<string>): () => Promise<string> {
  let underWay: Promise<string> | undefined;
  return () => (underWay ??= work().finally(() => (underWay = undefined)));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, readiness }: OperationsServerParts,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(response, 405, 'text/plain', 'GET or HEAD only\n');
    return;
  }
  switch (request.url) {
    case '/metrics':
      send(response, 200, Registry.PROMETHEUS_CONTENT_TYPE, await metrics());
      return;
    case '/livez':
      send(response, 200, 'application/json', '{"status":"ok"}');
      return;
    case '/readyz': {
      const report = await readiness();
      const status = report.status === 'unavailable' ? 503 : 200;
      send(response, status, 'application/json', JSON.stringify(report));
      return;
    }
    default:
      send(response, 404, 'text/plain', '/metrics, /livez or /readyz\n');
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response
    .writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    })
    .end(body);
}
