import { fork } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiKeyAdministration, KeySigner } from '../../libs/api-key/dist/index.js';
import { Database, PostgresApiKeyRepository } from '../../libs/persistence/dist/index.js';
import { PETSTORE_SCOPES } from '../../apps/api/dist/index.js';
import { freePort, startRedis, startTestPostgres, temporaryFolder } from '../test-servers/dist/index.js';
import { CONSUMING_CASES } from './cases.mjs';
import { addSpares, fill, untilSequenced, withClient } from './data.mjs';
import { Supervised } from './processes.mjs';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What is measured, in the order of the tables: the service, and servers that do the same in other ways. */
export const CONTENDERS = [
  { name: 'ours', title: 'Pet Store Service', isOurs: true, root: folder('../../') },
  { name: 'bare', title: 'bare node:http, all tricks', entry: 'peers/bare.mjs' },
  { name: 'plain', title: 'bare node:http, plain', entry: 'peers/plain.mjs' },
  { name: 'fastify', title: 'Fastify + rate-limit + pg', entry: 'peers/fastify.mjs' },
  { name: 'express', title: 'Express + express-rate-limit + pg', entry: 'peers/express.mjs' },
  { name: 'nestjs', title: 'NestJS as in its manual', entry: 'peers/nestjs/dist/main.js' },
];

/** Another built checkout of the service. */
export const otherCheckout = (root) => ({
  ...CONTENDERS[0],
  name: 'other',
  title: 'Pet Store Service, other checkout',
  root: resolve(root),
});

/** More animals than are used up in a second. */
const SPARES_PER_SECOND = 15_000;
/** Accepted keys. The orders of one key wait for each other, so that there are many. */
const KEYS = 64;
const SCOPES = ['pets:read', 'pets:write', 'orders:write', 'webhooks:manage'];
const PLENTY = 999_999_999;
const START_TIMEOUT_MS = 30_000;

/** Everything around the contenders of one run: PostgreSQL, Redis, data, keys and the load. */
export class Stage {
  #closers = [];
  #pepper = randomBytes(24).toString('base64url');

  static async set(rows) {
    const stage = new Stage();
    try {
      await stage.#set(rows);
      return stage;
    } catch (error) {
      await stage.clear();
      throw error;
    }
  }

  async #set(rows) {
    this.rows = rows;
    this.scratch = await temporaryFolder('bench');
    this.#closers.push(() => this.scratch.remove());
    this.postgres = await startTestPostgres();
    this.#closers.push(() => this.postgres.stop());
    this.redis = await startRedis();
    this.#closers.push(() => this.redis.stop());
    // Nothing of its own accord during a measurement.
    await withClient(this.postgres.url, async (client) => {
      await client.query('alter system set autovacuum = off');
      await client.query(`alter system set checkpoint_timeout = '1h'`);
      await client.query(`alter system set max_wal_size = '4GB'`);
      await client.query('select pg_reload_conf()');
    });
    await fill(this.postgres.url, rows);
    await this.#makeKeys();
    this.load = fork(folder('load.mjs'));
    this.#closers.push(() => this.load.disconnect());
  }

  /** Keys of the service, and the same ones for the peers in a table of their own. */
  async #makeKeys() {
    const { url } = this.postgres;
    const database = await Database.open({ url });
    const administration = new ApiKeyAdministration({
      repository: new PostgresApiKeyRepository(database),
      signer: new KeySigner(this.#pepper),
      scopes: PETSTORE_SCOPES,
      kind: 'test',
    });
    const issue = async (name, perDay) => {
      const wanted = { name, plan: 'enterprise', limits: { perMinute: PLENTY, perDay }, scopes: SCOPES };
      const { secret } = await administration.create(wanted, 'bench');
      return { name, perDay, secret };
    };
    const issued = [await issue('exhausted', 1)];
    for (let i = 1; i <= KEYS; i++) issued.push(await issue(`bench-${i}`, PLENTY));
    await database.close();
    await withClient(url, async (client) => {
      await client.query(
        'create table bench_keys (hash text primary key, id text, per_minute int, per_day int)',
      );
      for (const { name, perDay, secret } of issued) {
        const hash = createHmac('sha256', this.#pepper).update(secret).digest('base64url');
        await client.query('insert into bench_keys values ($1, $2, $3, $4)', [hash, name, PLENTY, perDay]);
      }
    });
    const [exhaustedKey, ...keys] = issued.map(({ secret }) => secret);
    this.keys = { keys, exhaustedKey, madeUpKey: new KeySigner(this.#pepper + '?').issue('test').text };
  }

  /** Starts a contender, which ends with the stage. */
  async start(contender, env = {}) {
    const { isOurs, root, entry, name } = contender;
    const port = await freePort();
    const command = isOurs ? join(root, 'apps/api/bundle/main.js') : folder(entry);
    const server = await Supervised.start([process.execPath, command], {
      output: join(this.scratch.path, `${name}.log`),
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_URL: this.postgres.url,
        REDIS_URL: this.redis.url,
        API_KEY_PEPPER: this.#pepper,
        PETSTORE_DATA_DIR: join(this.scratch.path, 'data'),
        // So many refused credentials and open orders do not occur elsewhere.
        ANONYMOUS_PER_MINUTE: '1000000',
        ANONYMOUS_PER_DAY: '1000000',
        MAX_OPEN_ORDERS_PER_KEY: '1000000',
        ...env,
      },
    });
    this.#closers.push(() => server.stop());
    const running = { contender, port, server };
    for (const end = Date.now() + START_TIMEOUT_MS; (await statusOf(port, this.keys.keys[0])) !== 200;) {
      if (server.ended || Date.now() > end)
        throw new Error(`${name} did not start:\n${server.output().slice(-3000)}`);
      await sleep(50);
    }
    // The one request of this key's day, and one that is refused.
    const statuses = [
      await statusOf(port, this.keys.exhaustedKey),
      await statusOf(port, this.keys.exhaustedKey),
    ];
    if (statuses[1] !== 429)
      throw new Error(`${name} responds ${statuses.join(', ')} to a limit of one request.`);
    return running;
  }

  /**
   * One measurement of a running contender.
   *
   * @param {{ connections: number, seconds: number, warmup: { seconds: number, responses: number } }} span
   * @returns {Promise<Record<'server' | 'postgres' | 'redis' | 'perSecond' | 'p50' | 'p99' | 'rss', number>>}
   *   CPU in microseconds per request, latencies in milliseconds, resident memory in MiB
   */
  async measure({ contender, port, server }, caseName, span) {
    const target = { ...this.keys, isOurs: contender.isOurs, rows: this.rows };
    if (CONSUMING_CASES.includes(caseName)) {
      const count = (span.seconds + span.warmup.seconds) * SPARES_PER_SECOND + span.warmup.responses;
      target.firstSpare = await addSpares(this.postgres.url, Math.ceil(count));
    }
    const watched = { server: server.pid, postgres: this.postgres.pid, redis: this.redis.pid };
    this.load.send({ ...span, caseName, target, port, watched });
    const [{ result, failure }] = await once(this.load, 'message');
    if (failure !== undefined)
      throw new Error(`${contender.name}, ${caseName}: ${failure}\n${server.output().slice(-2_000)}`);
    if (contender.isOurs) await untilSequenced(this.postgres.url);
    return result;
  }

  /** Ends everything, the last started first. */
  async clear() {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) await close();
  }
}

async function statusOf(port, key) {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/v1/pets/1`, { headers }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status;
}
