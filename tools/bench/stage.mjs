import { createHmac, randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiKeyAdministration, KeySigner } from '../../libs/api-key/dist/index.js';
import { Database, ApiKeyTables } from '../../libs/persistence/dist/index.js';
import { PETSTORE_PLANS, PETSTORE_SCOPES } from '../../apps/api/dist/index.js';
import {
  freePort,
  NodeProgram,
  startRedis,
  startTestPostgres,
  temporaryFolder,
} from '../test-servers/dist/index.js';
import { CASES, CONSUMING_CASES } from './cases.mjs';
import { addSpares, fill, untilSequenced } from './data.mjs';
import { measure } from './load.mjs';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const SERVICE = 'apps/api/bundle/main.js';

/** The request's line in the log, its id, and what browsers and operators expect. */
const AROUND = 'log, request ids, security fields, CORS, tags, shedding, metrics';

/**
 * What is measured, in the order of the tables: the service, and servers that do the same in other ways. Each says what it
 * does beside the API itself, and what it omits.
 */
export const CONTENDERS = [
  {
    name: 'ours',
    title: 'Pet Store Service',
    does: `${AROUND}, events, exact windows, int64, bans, survival of lost servers`,
    omits: 'nothing',
    isOurs: true,
    file: pathOf(`../../${SERVICE}`),
  },
  {
    name: 'bare',
    title: 'bare node:http, all tricks',
    does: 'pipelined statements, rows written as JSON as they arrive, one call to Redis per tick',
    omits: AROUND,
    file: pathOf('peers/bare.mjs'),
  },
  {
    name: 'fastify',
    title: 'Fastify, lean',
    does: 'schemas, @fastify/rate-limit, a pool of pg',
    omits: AROUND,
    file: pathOf('peers/fastify.mjs'),
  },
  {
    name: 'fastify-production',
    title: 'Fastify, in production',
    does: 'the same, a line of pino and a request id per request, @fastify/helmet, cors, etag, under-pressure, a prom-client histogram by route',
    omits: 'events, exact windows, int64, bans, survival of lost servers',
    file: pathOf('peers/fastify-production.mjs'),
  },
  {
    name: 'nestjs',
    title: 'NestJS as in its manual',
    does: 'class-validator, @nestjs/throttler, TypeORM, tags',
    omits: 'log, request ids, security fields, CORS, shedding, metrics',
    file: pathOf('peers/dist/nestjs.js'),
  },
];

/** Another built checkout of the service. */
export const otherCheckout = (root) => ({
  name: 'other',
  title: 'Pet Store Service, other checkout',
  does: 'as it did there',
  omits: 'as it did there',
  isOurs: true,
  file: resolve(root, SERVICE),
});

const CONNECTIONS = 64;
/** More animals than are used up in a second. */
const SPARES_PER_SECOND = 15_000;
/** Accepted keys. The orders of one key wait for each other, so that there are many. */
const KEYS = 64;
const SCOPES = ['pets:read', 'pets:write', 'orders:write', 'webhooks:manage'];
const PLENTY = 999_999_999;
/** For statements that fill tables. */
const DATABASE_TIMEOUT_MS = 120_000;

/** Everything around the contenders of one run: PostgreSQL, Redis, data and keys. */
export class Stage {
  #closers = [];
  pepper = randomBytes(24).toString('base64url');

  /** Runs `work` on a new stage with so many animals, and ends all that was started on it. */
  static async with(rows, work) {
    const stage = new Stage();
    try {
      await stage.#set(rows);
      return await work(stage);
    } finally {
      for (const close of stage.#closers.reverse()) await close();
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
    this.database = await Database.open({ url: this.postgres.url, responseTimeoutMs: DATABASE_TIMEOUT_MS });
    this.#closers.push(() => this.database.close());
    await fill(this.database, rows);
    await this.#makeKeys();
  }

  /** Keys of the service, and the same ones for the peers in a table of their own. */
  async #makeKeys() {
    const { manager } = this.database;
    await manager.query(
      'create table bench_keys (hash text primary key, id text, per_minute int, per_day int)',
    );
    const keys = [];
    for (let i = 0; i <= KEYS; i++) {
      const limits = { perMinute: PLENTY, perDay: i === 0 ? 1 : PLENTY };
      const key = await this.issueKey('enterprise', limits);
      const hash = createHmac('sha256', this.pepper).update(key).digest('base64url');
      const values = [hash, `bench-${i}`, limits.perMinute, limits.perDay];
      await manager.query('insert into bench_keys values ($1, $2, $3, $4)', values);
      keys.push(key);
    }
    const [exhaustedKey, ...others] = keys;
    const madeUpKey = new KeySigner(`${this.pepper}?`).issue('test').text;
    this.keys = { keys: others, exhaustedKey, madeUpKey };
  }

  /** Issues a key of the service; only those of the plan "enterprise" have limits of their own. */
  async issueKey(plan, limits) {
    const administration = new ApiKeyAdministration({
      repository: new ApiKeyTables(this.database),
      signer: new KeySigner(this.pepper),
      scopes: PETSTORE_SCOPES,
      plans: PETSTORE_PLANS,
      mode: 'test',
    });
    const { secret } = await administration.create({ name: 'bench', plan, limits, scopes: SCOPES }, 'bench');
    return secret;
  }

  /** From now on PostgreSQL does nothing of its own accord. */
  async stopMaintenance() {
    const { manager } = this.database;
    await manager.query('alter system set autovacuum = off');
    await manager.query(`alter system set checkpoint_timeout = '1h'`);
    await manager.query(`alter system set max_wal_size = '4GB'`);
    await manager.query('select pg_reload_conf()');
  }

  /** Starts a contender, which ends with the stage. */
  async start(contender, env = {}) {
    const { file, name } = contender;
    const port = await freePort();
    const server = new NodeProgram(file, {
      log: join(this.scratch.path, `${name}.log`),
      env: {
        PATH: process.env.PATH,
        // As `npm start` runs it.
        ...(contender.isOurs ? { NODE_OPTIONS: '--max-semi-space-size=24' } : {}),
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_URL: this.postgres.url,
        REDIS_URL: this.redis.url,
        API_KEY_PEPPER: this.pepper,
        PETSTORE_DATA_DIR: join(this.scratch.path, 'data'),
        // So many refused credentials and open orders do not occur elsewhere.
        ANONYMOUS_PER_MINUTE: '1000000',
        ANONYMOUS_PER_DAY: '1000000',
        MAX_OPEN_ORDERS_PER_KEY: '1000000',
        ...env,
      },
    });
    this.#closers.push(() => server.stop());
    const { keys, exhaustedKey } = this.keys;
    await server.untilReady(async () => (await statusOf(port, keys[0])) === 200);
    // The one request of this key's day, and one that is refused.
    const statuses = [await statusOf(port, exhaustedKey), await statusOf(port, exhaustedKey)];
    if (statuses[1] !== 429)
      throw new Error(`${name} responds ${statuses.join(', ')} to a limit of one request.`);
    return { contender, port, server };
  }

  /** Measures a running contender in one case for so many seconds, see {@link measure}. */
  async measure({ contender, port, server }, caseName, { seconds, isCold }) {
    const target = { ...this.keys, isOurs: contender.isOurs, rows: this.rows };
    // Half as much again for the warm-up.
    if (CONSUMING_CASES.includes(caseName))
      target.firstSpare = await addSpares(this.database, Math.ceil((seconds + 1.5) * SPARES_PER_SECOND));
    const exchanges = CASES[caseName](target);
    const watched = { server: server.pid, postgres: this.postgres.pid, redis: this.redis.pid };
    const measurement = { port, exchanges, connections: CONNECTIONS, seconds, isCold, watched };
    const result = await measure(measurement).catch((cause) => {
      const output = server.output.slice(-2_000);
      throw new Error(`${contender.name}, ${caseName}: ${cause.message}\n${output}`, { cause });
    });
    if (contender.isOurs) await untilSequenced(this.database);
    return result;
  }
}

/** The status of the response to a read with a key; `undefined` while nothing listens. */
export async function statusOf(port, key) {
  const headers = { Authorization: `Bearer ${key}` };
  const url = `http://127.0.0.1:${port}/v1/pets?limit=1`;
  const response = await fetch(url, { headers }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status;
}
