import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, Supervised } from '../shared/supervised.mjs';

const PATIENCE_MS = 30_000;

/** A contender that is up and responses. */
export class Running {
  #process;

  constructor(contender, port, process) {
    this.contender = contender;
    this.port = port;
    this.#process = process;
  }

  get pid() {
    return this.#process.pid;
  }

  /**
   * @param {import('./contenders.mjs').Contender} contender
   * @param {import('./stage.mjs').Stage} stage
   * @param {{ nodeOptions?: string[], env?: Record<string, string> }} [settings]
   */
  static async start(contender, stage, { nodeOptions = [], env = {} } = {}) {
    const { databaseUrl, redisUrl, pepper, scratch, keys } = stage;
    const port = await freePort();
    const process = await Supervised.start(
      [globalThis.process.execPath, ...nodeOptions, join(contender.folder, contender.entry)],
      {
        cwd: contender.folder,
        output: join(scratch, `${contender.name}.log`),
        env: {
          PATH: globalThis.process.env.PATH,
          NODE_ENV: 'production',
          PORT: String(port),
          DATABASE_URL: databaseUrl,
          REDIS_URL: redisUrl,
          API_KEY_PEPPER: pepper,
          PETSTORE_DATA_DIR: join(scratch, 'data'),
          // So many refused credentials come from one address nowhere else.
          ANONYMOUS_PER_MINUTE: '1000000',
          ANONYMOUS_PER_DAY: '1000000',
          ...env,
        },
      },
    );
    const running = new Running(contender, port, process);
    try {
      await running.#waitUntilReady(keys.keys[0]);
      await running.#exhaust(keys.exhaustedKey);
    } catch (error) {
      await process.stop();
      throw error;
    }
    return running;
  }

  stop() {
    return this.#process.stop();
  }

  output() {
    return this.#process.output();
  }

  async #waitUntilReady(key) {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const status = await this.#status(key).catch(() => undefined);
      if (status === 200) return;
      if (this.#process.ended || Date.now() > until) {
        const { name } = this.contender;
        throw new Error(`${name} did not start (last response: ${status}):\n${this.output().slice(-3000)}`);
      }
      await sleep(50);
    }
  }

  /** The one request of this key's day; two checkouts of the service count in the same place. */
  async #exhaust(key) {
    const statuses = [await this.#status(key), await this.#status(key)];
    if (statuses[1] !== 429)
      throw new Error(`${this.contender.name} served ${statuses.join(', ')} to a limit of one request.`);
  }

  async #status(key) {
    const response = await fetch(`http://127.0.0.1:${this.port}/v1/pets/1`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    return response.status;
  }
}
