import http from 'node:http';
import net from 'node:net';
import { requireDocumented } from './documented-events.js';
import { requireDocumentedResponse } from './documented-responses.js';

/** A response as it came over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer | undefined;
  /** Send the body in chunks, without Content-Length. */
  readonly chunked?: boolean;
}

/**
 * A plain HTTP client that changes nothing of what it is given: no normalised paths, no retries, no decoding. The
 * responses and events that it receives must be documented.
 */
export class Client {
  private readonly agent: http.Agent;
  /** Those made of this one, which are closed with it. */
  private readonly others: Client[] = [];

  /** @param from address of the loopback network to connect from; the system chooses unless given */
  constructor(
    readonly origin: string,
    private readonly key?: string,
    from?: string,
  ) {
    this.agent = new http.Agent({ keepAlive: true, ...(from === undefined ? {} : { localAddress: from }) });
  }

  with(key: string): Client {
    return this.other(new Client(this.origin, key));
  }

  /** The same key, at another address. */
  at(from: string): Client {
    return this.other(new Client(this.origin, this.key, from));
  }

  get(path: string, call: Call = {}): Promise<Reply> {
    return this.send(path, call);
  }

  post(path: string, body: unknown, call: Call = {}): Promise<Reply> {
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.send(path, {
      method: 'POST',
      body: text,
      ...call,
      headers: { 'Content-Type': 'application/json', ...call.headers },
    });
  }

  patch(path: string, body: unknown, call: Call = {}): Promise<Reply> {
    return this.post(path, body, { method: 'PATCH', ...call });
  }

  delete(path: string, call: Call = {}): Promise<Reply> {
    return this.send(path, { method: 'DELETE', ...call });
  }

  send(
    path: string,
    { method = 'GET', key = this.key, headers = {}, body, chunked = false }: Call,
  ): Promise<Reply> {
    const { hostname, port } = new URL(this.origin);
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          agent: this.agent,
          hostname,
          port,
          path,
          method,
          headers: {
            ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
            // Left alone, Node counts a body that is given at once.
            ...(chunked ? { 'Transfer-Encoding': 'chunked' } : {}),
            ...(body === undefined || chunked ? {} : { 'Content-Length': Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const { statusCode: status = 0 } = response;
            const text = Buffer.concat(chunks).toString('utf8');
            const reply = { status, headers: response.headers, text };
            // What this throws rejects, too.
            resolve(Promise.resolve(reply).then(requireDocumentation(method, path)));
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Writes bytes to a socket and gives back all that comes until the server closes it. */
  raw(bytes: string | Buffer): Promise<string> {
    const { hostname, port } = new URL(this.origin);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
      socket.setTimeout(10_000, () => socket.destroy(new Error('The server kept the connection open.')));
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => {
        resolve(Buffer.concat(chunks).toString('utf8'));
      });
    });
  }

  close(): void {
    for (const each of this.others) each.close();
    this.agent.destroy();
  }

  private other(made: Client): Client {
    this.others.push(made);
    return made;
  }
}

/** Passes the response on, unless it or an event in it is not in the documents. */
const requireDocumentation =
  (method: string, path: string) =>
  (reply: Reply): Reply => {
    requireDocumentedResponse(method, path, reply);
    const isFeed = reply.status === 200 && reply.text !== '' && /^\/v1\/events(?:$|\?)/.test(path);
    if (isFeed) requireDocumented(JSON.parse(reply.text) as { type: string }[]);
    return reply;
  };
