import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';

/** Whether the service can serve, and what is wrong if it cannot, or only in part. */
export interface ReadinessReport {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  /** One word per problem; never an address or a message of a server. */
  readonly reasons?: readonly string[];
}

export interface ManagementServerOptions {
  /** Where to listen; `undefined` opens no listener. */
  readonly listen: { readonly host: string; /** 0 takes a free one. */ readonly port: number } | undefined;
  /** The body of `/metrics`, in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  readonly readiness: () => Promise<ReadinessReport>;
}

/** Most connections: a few scrapers and probes have one or two each. */
const MAX_CONNECTIONS = 64;

const PATHS: ReadonlySet<string> = new Set(['/metrics', '/livez', '/readyz']);

const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 5_000;

/**
 * The listener for operators: `/metrics`, `/livez`, `/readyz`. It is plain HTTP without keys or limits and belongs
 * on a network that the public does not reach.
 */
export class ManagementServer {
  private server: Server | undefined;

  constructor(private readonly options: ManagementServerOptions) {}

  /** Where it listens: `http://127.0.0.1:9464`; `undefined` while it does not. */
  get origin(): string | undefined {
    const address = this.server?.address() as AddressInfo | null | undefined;
    if (address === undefined || address === null) return undefined;
    const { address: host, family, port } = address;
    return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
  }

  /** @throws what listening throws: the port is taken, or the address is not one of this machine */
  async listen(): Promise<void> {
    const { listen, ...views } = this.options;
    if (listen === undefined) return;
    const shared = { ...views, metrics: singleFlight(views.metrics) };
    const server = createServer(
      { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS },
      (request, response) => {
        respond(request, response, shared).catch(() => {
          // Half a response cannot be taken back, and a lost connection cannot be mistaken for a whole response.
          response.destroy();
        });
      },
    );
    server.timeout = REQUEST_TIMEOUT_MS;
    server.maxConnections = MAX_CONNECTIONS;
    // A pipelined request would be processed at once, and its response kept until the client reads it.
    server.maxRequestsPerSocket = 1;
    server.on('dropRequest', (_request, socket) => {
      socket.destroy();
    });
    server.on('connection', (socket) => {
      // For the whole life of a socket, whichever other listeners it has.
      socket.on('error', () => undefined);
    });
    server.listen(listen.port, listen.host);
    await once(server, 'listening');
    // A connection that could not be accepted, for lack of memory or by a firewall, concerns that connection alone.
    server.on('error', () => undefined);
    this.server = server;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    const closed = once(server, 'close');
    server.close();
    // What is still open belongs to a scraper, which notices by itself.
    server.closeAllConnections();
    await closed;
  }

  /** Nest calls this when all modules are initialized, before the public listener opens. */
  onApplicationBootstrap(): Promise<void> {
    return this.listen();
  }

  /** Nest calls this after the public listener has closed: probes can see the shutdown to its end. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** Concurrent calls share one execution. */
function singleFlight(work: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, readiness }: Omit<ManagementServerOptions, 'listen'>,
): Promise<void> {
  const [path = ''] = request.url?.split('?', 1) ?? [];
  if (PATHS.has(path) && request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD, OPTIONS');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else send(response, 405, 'text/plain', 'GET or HEAD only\n');
    return;
  }
  switch (path) {
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
