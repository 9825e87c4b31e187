import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to one request on its way. */
export type Fault =
  /** Goes through unharmed. */
  | { readonly kind: 'none' }
  /** The service never gets the request; this is the response instead. */
  | { readonly kind: 'answer'; readonly answer: CannedAnswer }
  /** The service executes the request; this is the response instead of its own. */
  | { readonly kind: 'answer-after-work'; readonly answer: CannedAnswer }
  /** The connection breaks before the service gets the request. */
  | { readonly kind: 'cut' }
  /** The service executes the request; the connection breaks before the response. */
  | { readonly kind: 'cut-after-work' }
  /** The response breaks off in the middle of its body. */
  | { readonly kind: 'truncate' }
  /** Nothing ever comes. */
  | { readonly kind: 'hang' };

export interface CannedAnswer {
  readonly status: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
}

/** A request as the proxy saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A way to a server on which things go wrong when asked to. */
export interface FaultProxy {
  readonly origin: string;
  /** All requests since the last call of this, oldest first. */
  seen(): SeenRequest[];
  /** Resolves when the next request arrives. */
  arrival(): Promise<void>;
  /** Forgets the requests that were seen, and the faults that no request has met. */
  reset(): void;
  /** Sends requests to another server from now on, such as one that was restarted. */
  forwardTo(origin: string): void;
  /** Harms the next requests, one fault each, in this order. */
  next(...faults: Fault[]): void;
  /** Answers GET of this path itself: a page or script for a browser of the same origin. */
  serve(path: string, type: string, body: string): void;
  close(): Promise<void>;
}

export async function startFaultProxy(origin: string): Promise<FaultProxy> {
  let target = origin;
  const faults: Fault[] = [];
  const files = new Map<string, { type: string; body: string }>();
  const seen: SeenRequest[] = [];
  const arrivals = new EventEmitter();
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const file = files.get(path);
    if (file !== undefined) {
      response.writeHead(200, { 'Content-Type': file.type }).end(file.body);
      return;
    }
    seen.push({ method, path, headers, at: Date.now() });
    arrivals.emit('arrival');
    const fault = faults.shift() ?? { kind: 'none' };
    // Without a server behind it, it breaks the connection as a server that is gone does.
    pass(request, response, fault).catch(() => response.destroy());
  });

  async function pass(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    fault: Fault,
  ): Promise<void> {
    if (fault.kind === 'hang') return;
    if (fault.kind === 'cut') {
      response.destroy();
      return;
    }
    if (fault.kind === 'answer') {
      request.resume();
      answer(response, fault.answer);
      return;
    }
    const { head, body } = await forward(request);
    if (fault.kind === 'cut-after-work') response.destroy();
    else if (fault.kind === 'answer-after-work') answer(response, fault.answer);
    else {
      response.writeHead(head.statusCode ?? 0, head.headers);
      if (fault.kind === 'none') response.end(body);
      else response.write(body.subarray(0, body.length / 2), () => response.destroy());
    }
  }

  async function forward(
    request: http.IncomingMessage,
  ): Promise<{ head: http.IncomingMessage; body: Buffer }> {
    const { method, url: path, headers } = request;
    const onward = request.pipe(http.request(target, { agent, method, path, headers }));
    // One that comes after the response is also the response's.
    onward.on('error', () => undefined);
    const [head] = (await once(onward, 'response')) as [http.IncomingMessage];
    return { head, body: await buffer(head) };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => seen.splice(0),
    arrival: async () => void (await once(arrivals, 'arrival')),
    reset: () => {
      seen.length = 0;
      faults.length = 0;
    },
    forwardTo: (next) => {
      target = next;
    },
    next: (...more) => void faults.push(...more),
    serve: (path, type, body) => void files.set(path, { type, body }),
    close: async () => {
      agent.destroy();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(response: http.ServerResponse, { status, headers = {}, body = '' }: CannedAnswer): void {
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
}
