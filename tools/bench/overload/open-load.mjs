import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
/** Clients, and so the most requests that wait at a time; when all wait, a request is given up before it is sent. */
const CONNECTIONS = 2_000;

/** What each asks for before the measurement, to be known to the server. */
const GREETING = Buffer.from('GET /livez HTTP/1.1\r\nHost: bench\r\n\r\n');

/**
 * Requests that come at a rate of their own, whether or not earlier ones have been served: what many
 * independent clients do. Each has a keep-alive connection of its own.
 */
export class OpenLoad {
  #port;
  #requests;
  #idle = [];
  #open = 0;
  #next = 0;

  /**
   * @param {number} port
   * @param {Buffer[]} requests sent in turn
   */
  constructor(port, requests) {
    this.#port = port;
    this.#requests = requests;
  }

  /**
   * @param {number} perSecond
   * @param {number} seconds
   * @returns {Promise<{ sent: number, given: number, broken: number, latencies: Map<number, number[]> }>}
   *   latencies in milliseconds by status; `given` counts requests that no connection was left for
   */
  async run(perSecond, seconds) {
    const span = { sent: 0, given: 0, broken: 0, latencies: new Map() };
    const start = performance.now();
    let due = 0;
    await new Promise((over) => {
      const timer = setInterval(() => {
        const elapsed = (performance.now() - start) / 1000;
        for (; due < Math.min(elapsed, seconds) * perSecond; due++) this.#send(span);
        if (elapsed < seconds) return;
        clearInterval(timer);
        over();
      }, 1);
    });
    // What is still under way is part of the span.
    const patience = performance.now() + 5_000;
    while (this.#idle.length < this.#open && performance.now() < patience)
      await new Promise((later) => setTimeout(later, 20));
    return span;
  }

  /** Connects every client, a few at a time. */
  async connect() {
    const span = { broken: 0, latencies: new Map() };
    while (this.#open < CONNECTIONS) {
      for (let i = 0; i < 50; i++) {
        const socket = this.#connect();
        socket.waiting = { span, at: performance.now() };
        socket.write(GREETING);
      }
      while (this.#idle.length < this.#open) await new Promise((later) => setTimeout(later, 5));
    }
  }

  close() {
    for (const socket of this.#idle) socket.destroy();
  }

  #send(span) {
    // The server may have closed some that were idle for long.
    const socket = this.#idle.pop() ?? (this.#open < CONNECTIONS ? this.#connect() : undefined);
    if (socket === undefined) {
      span.given++;
      return;
    }
    span.sent++;
    socket.waiting = { span, at: performance.now() };
    socket.write(this.#requests[this.#next++ % this.#requests.length]);
  }

  #connect() {
    this.#open++;
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    socket.setEncoding('latin1');
    socket.received = '';
    socket.on('data', (chunk) => this.#receive(socket, chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#open--;
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
      else if (socket.waiting !== undefined) socket.waiting.span.broken++;
    });
    return socket;
  }

  #receive(socket, chunk) {
    socket.received += chunk;
    const headEnd = socket.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = socket.received.slice(0, headEnd + 2);
    if (socket.received.length < headEnd + 4 + Number(LENGTH.exec(head)?.[1] ?? 0)) return;
    const { span, at } = socket.waiting;
    const status = Number(head.slice(9, 12));
    if (!span.latencies.has(status)) span.latencies.set(status, []);
    span.latencies.get(status).push(performance.now() - at);
    socket.received = '';
    socket.waiting = undefined;
    this.#idle.push(socket);
  }
}
