// A service for tests: starts the database of a folder from the built library and does what it is told.
// Prints one JSON object a line.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openEmbeddedPostgres, startEmbeddedPostgres } from '../dist/index.js';

const [, , what, dataDir] = process.argv;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const log = () => undefined;

try {
  if (what === 'write') await write(await startEmbeddedPostgres({ dataDir, log }));
  if (what === 'once') await once(await openEmbeddedPostgres({ dataDir, log }, connect));
} catch (error) {
  say({ error: error.reason, message: error.message });
  process.exitCode = 1;
}

/** Adds rows as fast as it can, and says each one after the database has acknowledged it. */
async function write({ url, pid }) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table if not exists rows (n bigint generated always as identity, process int)');
  say({ pid, url, uid: process.getuid() });
  for (;;) {
    const { rows } = await client.query('insert into rows (process) values ($1) returning n', [process.pid]);
    say({ row: Number(rows[0].n) });
  }
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Works for a moment and leaves, like an operator's tool. */
async function once({ session, stop }) {
  await session.query('select pg_sleep(0.05)');
  await sleep(20);
  await session.end();
  await stop();
  say({ done: true });
}
