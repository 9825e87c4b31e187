import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from './mix.mjs';

/** Milliseconds between two portions of requests. */
const TICK = 20;
const CONNECTIONS = 64;
/** A request without a response for so long, in milliseconds, is an error. */
const PATIENCE = 10_000;
/** Failures that are kept to be shown. */
const SHOWN = 20;

/** Requests at a steady rate, whether or not the responses keep up, so that a slow moment is seen in full. */
export class Load {
  /** Animals that the service has acknowledged. */
  created = 0;
  failures = [];
  #agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  #latencies = [];
  #requests = 0;
  #errors = 0;
  #open = 0;
  #timer;

  constructor(origin, keys, rate) {
    this.origin = origin;
    this.keys = keys;
    this.rate = rate;
  }

  start() {
    let due = 0;
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      due += ((now - last) / 1000) * this.rate;
      last = now;
      for (; due >= 1; due--) this.#send(pick(this.created));
    }, TICK);
  }

  /** The responses since the last call; latencies in milliseconds. */
  takeMinute() {
    const sorted = this.#latencies.sort((a, b) => a - b);
    const at = (share) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
    const taken = {
      requests: this.#requests,
      errors: this.#errors,
      p50: at(0.5),
      p99: at(0.99),
      max: at(0.9999),
    };
    this.#latencies = [];
    this.#requests = this.#errors = 0;
    return taken;
  }

  /** Sends nothing more and waits for what is under way. */
  async stop() {
    clearInterval(this.#timer);
    while (this.#open > 0) await sleep(10);
    this.#agent.destroy();
  }

  #send({ method = 'GET', path, key = 'plenty', body, expected, creates = false }) {
    const start = performance.now();
    this.#open++;
    const done = (failure) => {
      this.#open--;
      this.#requests++;
      this.#latencies.push(performance.now() - start);
      if (failure === undefined) return;
      this.#errors++;
      if (this.failures.length < SHOWN) this.failures.push(`${method} ${path}: ${failure}`);
    };
    const request = http.request(
      this.origin + path,
      { method, agent: this.#agent, headers: this.#headers(key, body), timeout: PATIENCE },
      (response) => {
        response.on('error', (error) => done(error.message));
        response.resume().on('end', () => {
          if (creates && response.statusCode === 201) this.created++;
          done(expected.includes(response.statusCode) ? undefined : response.statusCode);
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error('no response in time')));
    request.on('error', (error) => done(error.message));
    request.end(body);
  }

  #headers(key, body) {
    return {
      Authorization: `Bearer ${this.keys[key]}`,
      ...(body === undefined
        ? {}
        : {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
            'Idempotency-Key': randomUUID(),
          }),
    };
  }
}
