import { once } from 'node:events';
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { FileOperator, type Outcome, startProcess } from './operator.js';

// Processes are started, killed and started again.
jest.setTimeout(120_000);

const COUNT = 500;
/** In the fourth batch, of which nothing is there until it is committed. */
const STOP_AT = 350;
const STOPS_AFTER = 300;

/** The insertion of one animal waits for this lock. */
const STOP = `
  create function stop() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(1);
    return new;
  end $$;
  create trigger stop before insert on pets for each row when (new.name = 'Animal ${STOP_AT}') execute function stop()`;

const operator = new FileOperator();
let path: string;

beforeAll(() => operator.admin.query(STOP));
beforeEach(async () => {
  path = join(operator.folder, 'stock.csv');
  await writeFile(path, `name,categoryId,reference\n${rows(0, COUNT)}`);
});

const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `Animal ${from + at},7,R${from + at}\n`).join('');

type Mode = 'source' | 'token';
const MODES: readonly Mode[] = ['source', 'token'];
const args = (mode: Mode): string[] => [
  'stock.csv',
  ...(mode === 'source' ? ['--source', 'mine'] : []),
  '--json',
];

/** A run in this process, or as one of its own that can be killed. */
interface Run {
  readonly ended: Promise<Outcome>;
  readonly kill: () => void;
}

const startHere = (mode: Mode): Run => ({
  ended: operator.run('import', args(mode)),
  kill: () => undefined,
});

function startOwn(mode: Mode): Run {
  const child = startProcess('import', args(mode), operator.environment, 'ignore');
  const ended = once(child, 'close').then(([exit]) => ({ exit: exit as number | null, out: '', err: '' }));
  return { ended, kill: () => child.kill('SIGKILL') };
}

const waitsFor = (what: string): Promise<void> =>
  operator.until(`exists (select from pg_locks where not granted and ${what})`);

/** Lets an import go on when it waits in its fourth batch, and something has been done. @returns what came of it */
async function whileStopped(
  start: () => Run,
  act: (run: Run, goOn: () => Promise<unknown>) => Promise<unknown>,
): Promise<Outcome> {
  const session = new Client(operator.server.url);
  await session.connect();
  try {
    await session.query('select pg_advisory_lock(1)');
    const run = start();
    await waitsFor(`locktype = 'advisory' and objid = 1`);
    const goOn = (): Promise<unknown> => session.query('select pg_advisory_unlock(1)');
    await act(run, goOn);
    await goOn();
    return await run.ended;
  } finally {
    await session.end();
  }
}

/** Each animal once, with its profile and its events, and nothing else. */
async function requireWhole(mode: Mode, count = COUNT): Promise<void> {
  const { rows: found } = await operator.admin.query<{ name: string }>(`
    with event as (
      select (data::json #>> '{pet,id}')::bigint as id, array_agg(type order by outbox.id) as events from outbox group by 1
    )
    select name, profile::json ->> 'reference' as reference, pet_sources.reference as known, events
    from pets left join event using (id) left join pet_profiles on pet_profiles.pet_id = pets.id
      left join pet_sources on pet_sources.pet_id = pets.id
    order by pets.id`);
  const whole = Array.from({ length: count }, (_, at) => ({
    name: `Animal ${at}`,
    reference: `R${at}`,
    known: mode === 'source' ? `R${at}` : null,
    events: ['pet.created', 'pet.profile_updated'],
  }));
  expect(found).toEqual(whole);
}

const created = async (): Promise<number> => {
  const { rows: found } = await operator.admin.query<{ n: number }>('select count(*)::int as n from pets');
  return found[0]?.n ?? 0;
};

async function requireRest(mode: Mode, done: number): Promise<void> {
  const { exit, out } = await startHere(mode).ended;
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ created: COUNT - done, unchanged: done, refused: 0 });
  await requireWhole(mode);
}

const kill = async ({ kill: killProcess, ended }: Run): Promise<void> => {
  killProcess();
  await ended;
};
const endSessions = (which: string): Promise<unknown> =>
  operator.admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${which}`);
const OF_IMPORT = `application_name = 'petstore import'`;

describe.each(MODES)('an import by %s', (mode) => {
  it('that is killed while it writes a batch has done whole animals, and the next one does the rest', async () => {
    const start = (): Run => startOwn(mode);
    await whileStopped(start, async (run, goOn) => {
      const lock = new Client(operator.server.url);
      await lock.connect();
      // Behind the animals of the batch: its events.
      await lock.query('begin; lock table outbox in exclusive mode');
      await goOn();
      await waitsFor(`relation = 'outbox'::regclass`);
      await kill(run);
      return lock.end();
    });
    await operator.untilNoSession('petstore import');
    expect(await created()).toBe(STOPS_AFTER);
    await requireRest(mode, STOPS_AFTER);
  });

  it('does each animal once, whenever it is killed', async () => {
    for (const moment of [1, 200]) {
      const run = startOwn(mode);
      await operator.until(`(select count(*) from pets) >= ${moment}`);
      await kill(run);
      await operator.untilNoSession('petstore import');
      expect((await created()) % 100).toBe(0);
    }
    await requireRest(mode, await created());
  });

  it('ends with its sessions, and says that the next one does the rest', async () => {
    const { exit, err } = await whileStopped(
      () => startHere(mode),
      () => endSessions(OF_IMPORT),
    );
    expect(exit).toBe(1);
    expect(err).toMatch(
      /^error: The database .* 300 animals were done, each of them whole: give the command again/,
    );
    await operator.untilNoSession('petstore import');
    await requireRest(mode, STOPS_AFTER);
  });

  it('is done once by two runs at a time, of which the second waits', async () => {
    let second: Run | undefined;
    const first = await whileStopped(
      () => startHere(mode),
      async () => {
        second = startHere(mode);
        await waitsFor(`locktype = 'advisory' and objid <> 1`);
      },
    );
    const outcomes = [first, await second?.ended];
    expect(outcomes.map((outcome) => outcome?.exit)).toEqual([0, 0]);
    expect(outcomes.map((outcome) => JSON.parse(outcome?.out ?? '{}') as object)).toMatchObject([
      { created: COUNT, unchanged: 0 },
      { created: 0, unchanged: COUNT },
    ]);
    await requireWhole(mode);
  });

  it('gives way to another run when it has lost its turn', async () => {
    let second: Run | undefined;
    const first = await whileStopped(
      () => startHere(mode),
      async () => {
        second = startHere(mode);
        await waitsFor(`locktype = 'advisory' and objid <> 1`);
        const turns = `select pid from pg_locks where locktype = 'advisory' and granted and objid <> 1`;
        await endSessions(`${OF_IMPORT} and pid in (${turns})`);
        // It has judged the file, and comes to write it.
        await waitsFor(`locktype <> 'advisory'`);
      },
    );
    const last = await second?.ended;
    // Either of them may get the row first; the other one then stops, or has nothing to do.
    expect([first.exit, last?.exit]).toContain(0);
    for (const { exit, err } of [first, last ?? first])
      if (exit !== 0)
        expect([exit, err]).toEqual([1, expect.stringMatching(/Another import of the .* meanwhile/)]);
    await requireWhole(mode);
  });
});

const grow = (): Promise<unknown> => appendFile(path, rows(COUNT, COUNT + 1));
const replace = async (): Promise<unknown> => {
  await writeFile(`${path}.new`, (await readFile(path, 'utf8')).replace('Animal 499', 'Animal 498'));
  return rename(`${path}.new`, path);
};
const remove = (): Promise<unknown> => rm(path);

it.each<[Mode, string, () => Promise<unknown>]>([
  ['source', 'grows', grow],
  ['token', 'grows', grow],
  ['source', 'is replaced by one of its size', replace],
  ['source', 'is removed', remove],
])('an import by %s stops when the file %s', async (mode, _, change) => {
  const { exit, err } = await whileStopped(() => startHere(mode), change);
  expect(exit).toBe(1);
  expect(err).toMatch(
    /^error: The file was changed while it was imported. 400 animals were done, each of them whole/,
  );
  expect(await created()).toBe(400);
  await writeFile(path, `name,categoryId,reference\n${rows(0, COUNT)}`);
  await requireRest(mode, 400);
});
