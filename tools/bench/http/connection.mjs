import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;
const LIMITS = /\r\nx-ratelimit-remaining: \d/i;
const EMPTY = Buffer.alloc(0);

/**
 * One keep-alive connection that sends the next request when it has the whole response, and looks at every
 * response: status, limit headers, body. What is wrong ends the run.
 */
export class Connection {
  #socket;
  #exchanges;
  #next;
  #onResponse;
  #onFailure;
  #current;
  #sentAt = 0;
  #received = EMPTY;
  #stopped = false;

  /**
   * @param {number} port
   * @param {import('./cases.mjs').Exchange[]} exchanges
   * @param {number} first the exchange to begin with
   * @param {(milliseconds: number) => void} onResponse
   * @param {(reason: string) => void} onFailure
   */
  constructor(port, exchanges, first, onResponse, onFailure) {
    this.#exchanges = exchanges;
    this.#next = first;
    this.#onResponse = onResponse;
    this.#onFailure = onFailure;
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true })
      .on('connect', () => this.#send())
      .on('data', (chunk) => this.#receive(chunk))
      .on('error', (error) => this.#fail(error.message))
      .on('close', () => this.#fail('the server closed the connection'));
  }

  /** Sends no further request; resolves when the last response is there. */
  stop() {
    this.#stopped = true;
    return new Promise((resolve) => {
      const end = () => {
        this.#socket
          .removeAllListeners('close')
          .removeAllListeners('error')
          .on('error', () => undefined);
        this.#socket.destroy();
        resolve();
      };
      if (this.#current === undefined) end();
      else this.onIdle = end;
    });
  }

  #send() {
    this.#current = this.#exchanges[this.#next];
    this.#next = (this.#next + 1) % this.#exchanges.length;
    this.#sentAt = performance.now();
    this.#socket.write(this.#current.request);
  }

  #receive(chunk) {
    const bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    this.#received = bytes;
    if (headEnd < 0) return;
    const head = bytes.latin1Slice(0, headEnd + 2);
    // What has no content has no length (RFC 9110, section 8.6).
    const length = head.startsWith('204', 9) ? 0 : LENGTH.exec(head)?.[1];
    if (length === undefined) return this.#fail(`a response without Content-Length:\n${head}`);
    const end = headEnd + HEAD_END.length + Number(length);
    if (bytes.length < end) return;
    if (bytes.length > end) return this.#fail('more than was asked for');
    this.#received = EMPTY;
    this.#onResponse(performance.now() - this.#sentAt);
    const flaw = flawOf(this.#current, head, bytes.subarray(headEnd + HEAD_END.length));
    if (flaw !== undefined) return this.#fail(flaw);
    this.#current = undefined;
    if (this.#stopped) this.onIdle?.();
    else this.#send();
  }

  #fail(reason) {
    this.#socket.removeAllListeners('close').destroy();
    this.#onFailure(`${this.#current?.request.toString().split('\r\n', 1)[0] ?? ''}: ${reason}`);
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
