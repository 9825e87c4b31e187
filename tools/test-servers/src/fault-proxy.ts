import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Until a service that was unavailable gets the request again. */
const UNAVAILABLE_DELAY_MS = 100;

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

/** A proxy that causes faults on request. */
export class FaultProxy {
  private readonly faults: Fault[] = [];
  private readonly files = new Map<string, { type: string; body: string }>();
  private readonly requests: SeenRequest[] = [];
  private readonly arrivals = new EventEmitter();
  private readonly agent = new http.Agent({ keepAlive: true });
  private readonly server = http.createServer((request, response) => {
    this.receive(request, response);
  });

  /** @param target the origin of the server behind it */
  constructor(private target: string) {}

  async listen(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** All requests since the last call of this, oldest first. */
  seen(): SeenRequest[] {
    return this.requests.splice(0);
  }

  /** Resolves when the next request arrives. */
  async arrival(): Promise<void> {
    await once(this.arrivals, 'arrival');
  }

  /** Forgets the requests that were seen, and the faults that no request has met. */
  reset(): void {
    this.requests.length = 0;
    this.faults.length = 0;
  }

  /** Sends requests to another server from now on, such as one that was restarted. */
  forwardTo(origin: string): void {
    this.target = origin;
  }

  /** Faults for the next requests, one each, in this order. */
  next(...faults: Fault[]): void {
    this.faults.push(...faults);
  }

  /** Responds itself to GET of this path, for a browser of the same origin. */
  serve(path: string, type: string, body: string): void {
    this.files.set(path, { type, body });
  }

  async close(): Promise<void> {
    this.agent.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private receive(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { method = 'GET', url: path = '/', headers } = request;
    const file = this.files.get(path);
    if (file !== undefined) {
      response.writeHead(200, { 'Content-Type': file.type }).end(file.body);
      return;
    }
    this.requests.push({ method, path, headers, at: Date.now() });
    this.arrivals.emit('arrival');
    const fault = this.faults.shift() ?? { kind: 'none' };
    // Without a server behind it, it breaks the connection as a server that is gone does.
    this.pass(request, response, fault).catch(() => response.destroy());
  }

  private async pass(
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
    const { head, body } = await this.execute(request, response);
    if (fault.kind === 'cut-after-work') response.destroy();
    else if (fault.kind === 'answer-after-work') answer(response, fault.answer);
    else {
      response.writeHead(head.statusCode ?? 0, head.headers);
      if (fault.kind === 'none') response.end(body);
      else response.write(body.subarray(0, body.length / 2), () => response.destroy());
    }
  }

  /**
   * The service's own response. It is unavailable while its database is late, as on a busy machine, which is none of the
   * faults here: a client that met it would send more requests than its test counts.
   */
  private async execute(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<{ readonly head: http.IncomingMessage; readonly body: Buffer }> {
    const { method, url: path, headers } = request;
    const content = await buffer(request);
    for (;;) {
      const onward = http.request(this.target, { agent: this.agent, method, path, headers }).end(content);
      // One that comes after the response is also the response's.
      onward.on('error', () => undefined);
      const [head] = (await once(onward, 'response')) as [http.IncomingMessage];
      const body = await buffer(head);
      if (head.statusCode !== 503 || response.destroyed) return { head, body };
      await sleep(UNAVAILABLE_DELAY_MS);
    }
  }
}

export function startFaultProxy(origin: string): Promise<FaultProxy> {
  return new FaultProxy(origin).listen();
}

function answer(response: http.ServerResponse, { status, headers = {}, body = '' }: CannedAnswer): void {
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
}
