import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;

/** A keep-alive connection for one request at a time, which costs the machine less than a general client would. */
export class Connection {
  #socket;
  #received = Buffer.alloc(0);
  #pending;

  constructor(socket) {
    this.#socket = socket
      .on('data', (chunk) => this.#receive(chunk))
      .on('error', (error) => this.#pending?.reject(error))
      .on('close', () => this.#pending?.reject(new Error('the server closed the connection')));
  }

  static async open(port) {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /**
   * @param {Buffer} request
   * @returns {Promise<{ status: number, head: string, body: Buffer }>}
   */
  send(request) {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close() {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #receive(chunk) {
    const bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    this.#received = bytes;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = bytes.latin1Slice(0, headEnd + 2);
    const status = Number(head.slice(9, 12));
    // A 204 has no content, and so no length (RFC 9110, section 8.6).
    const length = status === 204 ? 0 : Number(LENGTH.exec(head)?.[1]);
    const body = bytes.subarray(headEnd + HEAD_END.length);
    if (body.length < length) return;
    this.#received = Buffer.alloc(0);
    this.#pending.resolve({ status, head, body });
  }
}
