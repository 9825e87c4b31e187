import { randomBytes } from 'node:crypto';
import { temporaryFolder } from '../../test-servers/dist/index.js';
import { addAbove, fill, fillFeed, migrate, restore } from '../shared/database.mjs';
import { startServers } from '../shared/servers.mjs';
import { CASES, CONSUMING_CASES, WRITING_CASES } from './cases.mjs';
import { makeKeys } from './keys.mjs';
import { LoadProcess } from './load-process.mjs';
import { Running } from './running.mjs';

/** Events that may wait at the end of a measurement: of some batches. */
const MOST_WAITING = 5_000;

/** More animals than are used up in a second. */
const CONSUMED_PER_SECOND = 25_000;

/** Everything that stands around the contenders of one run: servers, data, keys, load. */
export class Stage {
  #closers = [];

  /** @param {{ rows: number, withService: boolean }} settings */
  static async set({ rows, withService }) {
    const stage = new Stage();
    try {
      await stage.#set(rows, withService);
      return stage;
    } catch (error) {
      await stage.clear();
      throw error;
    }
  }

  async #set(rows, withService) {
    const scratch = await temporaryFolder('bench');
    this.#closers.push(() => scratch.remove());
    const servers = await startServers();
    this.#closers.push(() => servers.stop());
    this.rows = rows;
    this.servers = servers;
    this.scratch = scratch.path;
    this.databaseUrl = servers.postgres.url;
    this.redisUrl = servers.redis.url;
    this.pepper = randomBytes(24).toString('base64url');
    await migrate(this.databaseUrl);
    await fill(this.databaseUrl, rows);
    await fillFeed(this.databaseUrl, rows);
    this.keys = await makeKeys({ databaseUrl: this.databaseUrl, pepper: this.pepper, withService });
    this.load = new LoadProcess();
    this.#closers.push(() => this.load.stop());
  }

  /** Starts a contender here; it ends with the stage. */
  async start(contender, settings) {
    const running = await Running.start(contender, this, settings);
    this.#closers.push(() => running.stop());
    return running;
  }

  /**
   * One measurement of a running contender, whose animals are what they were before when it is over.
   *
   * @param {Running} running
   * @param {string} caseName
   * @param {{ connections: number, seconds: number, warmup: { seconds: number, responses: number } }} span
   * @param {Record<string, number>} [alsoWatched] ids of further processes whose CPU time is wanted, by name
   */
  async measure({ contender, port, pid }, caseName, span, alsoWatched = {}) {
    const { seconds, warmup } = span;
    if (CONSUMING_CASES.includes(caseName)) {
      const most = Math.ceil((seconds + warmup.seconds) * CONSUMED_PER_SECOND) + warmup.responses;
      await addAbove(this.databaseUrl, this.rows, most);
    }
    const result = await this.load.measure({
      ...span,
      name: contender.name,
      caseName,
      target: { ...this.keys, cursor: contender.cursor, rows: this.rows },
      port,
      watched: {
        server: pid,
        redis: this.servers.redis.pid,
        postgres: this.servers.postgres.pid,
        ...alsoWatched,
      },
    });
    if (WRITING_CASES.includes(caseName)) await this.#restore();
    return result;
  }

  /** What is left to be sequenced has cost nothing yet, and should be next to nothing. */
  async #restore() {
    const waiting = await restore(this.databaseUrl, this.rows);
    if (waiting > MOST_WAITING) process.stderr.write(`    ${waiting} events were not sequenced yet\n`);
  }

  /**
   * The requests of a case, for loads of another kind.
   *
   * @param {Running} running
   * @param {string} caseName
   * @returns {Buffer[]}
   */
  requests({ contender }, caseName) {
    const target = { ...this.keys, cursor: contender.cursor, rows: this.rows };
    return CASES.get(caseName)(target).map(({ request }) => request);
  }

  /** Ends everything, the last started first. */
  async clear() {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) await close();
  }
}
