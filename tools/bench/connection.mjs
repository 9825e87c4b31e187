import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;
const LIMITS = /\r\nx-ratelimit-remaining: \d/i;

/**
 * A keep-alive connection that sends the next request when it has the whole response, and checks every response: status,
 * limit headers, body. A wrong response ends the run.
 */
export class Connection {
  #socket;
  #next;
  #current;
  #sentAt = 0;
  #received = Buffer.alloc(0);
  #onIdle;

  /**
   * @param {{ port: number, localAddress?: string, exchanges: import('./cases.mjs').Exchange[], first?: number }} options
   * @param {(milliseconds: number, status: number) => void} onResponse
   * @param {(reason: string) => void} onFailure
   */
  constructor({ port, localAddress, exchanges, first = 0 }, onResponse, onFailure) {
    this.exchanges = exchanges;
    this.onResponse = onResponse;
    this.onFailure = onFailure;
    this.#next = first;
    this.#socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true })
      .on('connect', () => this.#send())
      .on('data', (chunk) => this.#receive(chunk))
      .on('error', (error) => this.#fail(error.message))
      .on('close', () => this.#fail('the server closed the connection'));
  }

  /** Sends no further request; resolves when the last response is there. */
  async stop() {
    if (this.#current !== undefined) await new Promise((resolve) => (this.#onIdle = resolve));
    this.#socket
      .removeAllListeners()
      .on('error', () => undefined)
      .destroy();
  }

  #send() {
    this.#current = this.exchanges[this.#next];
    this.#next = (this.#next + 1) % this.exchanges.length;
    this.#sentAt = performance.now();
    this.#socket.write(this.#current.request());
  }

  #receive(chunk) {
    const bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    this.#received = bytes;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = bytes.latin1Slice(0, headEnd + 2);
    // A 204 has no content, and so no length (RFC 9110, section 8.6).
    const length = head.startsWith('204', 9) ? 0 : Number(LENGTH.exec(head)?.[1]);
    const end = headEnd + HEAD_END.length + length;
    if (bytes.length < end) return;
    const flaw = flawOf(this.#current, head, bytes.subarray(headEnd + HEAD_END.length));
    if (flaw !== undefined) return this.#fail(flaw);
    this.onResponse(performance.now() - this.#sentAt);
    this.#received = Buffer.alloc(0);
    this.#current = undefined;
    if (this.#onIdle) this.#onIdle();
    else this.#send();
  }

  #fail(reason) {
    this.#socket.removeAllListeners('close').destroy();
    this.onFailure(`${this.#current?.request().toString().split('\r\n', 1)[0] ?? ''}: ${reason}`);
  }
}

/** What is wrong with a response, if anything is. */
function flawOf(exchange, head, body) {
  if (Number(head.slice(9, 12)) !== exchange.status)
    return `expected ${exchange.status}, got:\n${head}\n${body}`;
  if (!LIMITS.test(head)) return `no limit headers:\n${head}`;
  if (exchange.header?.test(head) === false) return `no ${exchange.header}:\n${head}`;
  if (exchange.body?.equals(body) || exchange.accepts(JSON.parse(body.toString()))) return undefined;
  return `wrong body: ${body}`;
}
