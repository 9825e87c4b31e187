import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The load as its parent sees it: one order at a time. */
export class LoadProcess {
  #child = fork(fileURLToPath(new URL('load.mjs', import.meta.url)));
  #onReply = () => undefined;

  constructor() {
    this.#child.on('message', (reply) => this.#onReply(reply));
    this.#child.on('exit', () => this.#onReply({ failure: 'the load process ended' }));
  }

  get pid() {
    return this.#child.pid;
  }

  /** One measurement; rejects when a response was wrong. */
  async measure(order) {
    const { result, failure } = await new Promise((resolve) => {
      this.#onReply = resolve;
      this.#child.send(order);
    });
    if (failure !== undefined) throw new Error(`${order.name}, ${order.caseName}: ${failure}`);
    return result;
  }

  stop() {
    this.#child.disconnect();
  }
}
