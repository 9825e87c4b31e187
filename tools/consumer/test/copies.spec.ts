import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ListedPet, parseJson, PetStoreClient, toJson } from '@petstore/client';
import {
  type FaultProxy,
  type PetStoreProcess,
  startFaultProxy,
  startPetStore,
} from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { makeSnippetFolder, readGuide, type SnippetFolder, snippetsOfGuide } from './snippet-folder.js';

/** A copy catches up within this time, also on a busy machine. */
const IN_STEP_TIMEOUT_MS = 40_000;

const programs = snippetsOfGuide(await readGuide()).filter(
  ({ page, language }) => page === 'copies.md' && language === 'ts',
);

let folder: SnippetFolder;
let store: PetStoreProcess;
/** Between the programs and the service. */
let proxy: FaultProxy;
let key: string;
/** Of the test, without the proxy. */
let client: PetStoreClient;
let copyFile: string;
const running = new Set<ChildProcess>();

const connect = (): PetStoreClient => new PetStoreClient({ baseUrl: `${store.origin}/v1`, apiKey: key });

beforeAll(async () => {
  [folder, store] = await Promise.all([makeSnippetFolder(programs), startPetStore()]);
  copyFile = join(folder.path, 'copy.json');
  [proxy, key] = await Promise.all([startFaultProxy(store.origin), store.issueKey()]);
  client = connect();
}, 120_000);
afterAll(async () => {
  await proxy.close();
  await store.stop();
  await folder.remove();
});
afterEach(async () => {
  await Promise.all([...running].map(kill));
});

/** Runs the page's program, with or without `--follow`. */
function launch(...words: string[]): ChildProcess {
  const [program] = programs;
  if (program === undefined) throw new Error('The page has no program.');
  const settings = [`PETSTORE_URL=${proxy.origin}/v1`, `PETSTORE_KEY=${key}`];
  // `env` becomes the program: to kill the child is to kill the program.
  const child = spawn('env', [...settings, ...folder.command(program), ...words], {
    cwd: folder.path,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function runToEnd(): Promise<void> {
  const [code] = (await once(launch(), 'exit')) as [number | null];
  expect(code).toBe(0);
}

interface StoredCopy {
  readonly position: string;
  readonly pets: readonly ListedPet[];
}

const readCopy = async (): Promise<StoredCopy> => parseJson(await readFile(copyFile, 'utf8')) as StoredCopy;

const byId = (pets: readonly ListedPet[]): string => toJson([...pets].sort((a, b) => (a.id < b.id ? -1 : 1)));

async function everyPet(): Promise<string> {
  const pets: ListedPet[] = [];
  for await (const pet of client.pets({ include: ['profile'] })) pets.push(pet);
  return byId(pets);
}

/** Waits until the copy is what the service has. Nobody changes anything meanwhile. */
async function expectInStep(): Promise<void> {
  const expected = await everyPet();
  // The first time there is no file for a moment.
  await waitFor(async () => {
    const copy = await readCopy().catch(() => undefined);
    return copy !== undefined && byId(copy.pets) === expected;
  }, IN_STEP_TIMEOUT_MS);
}

/** Some changes of every kind; half of the animals that it adds are gone afterwards. */
async function change(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const name = `round ${round}`;
    const [kept, removed] = await Promise.all([
      client.createPet({ name, categoryId: 9_007_199_254_740_993n }),
      client.createPet({ name, categoryId: 7 }),
    ]);
    const profile = { species: 'dog', description: `${name},\nas "told"` };
    await Promise.all([
      client.updatePet(kept.id, { status: 'pending' }),
      client.replacePetProfile(kept.id, profile),
      client.replacePetProfile(removed.id, profile),
    ]);
    await client.updatePet(removed.id, { name: `${name} changed` });
    await Promise.all([
      client.updatePet(kept.id, { name: `${name} kept` }),
      // Every third animal has none in the end.
      client.replacePetProfile(kept.id, round % 3 === 0 ? {} : { ...profile, mixedBreed: true }),
      client.deletePet(removed.id),
    ]);
  }
}

/** Waits until the feed has all changes: a program that runs once ends before those that are not there yet. */
async function untilInFeed(): Promise<void> {
  const { position } = await client.listEvents({ after: 'latest' });
  const last = await client.createPet({ name: 'last', categoryId: 1 });
  for await (const { event } of client.events({ after: position }, { pollMs: 50 })) {
    if (event.data.pet?.id === last.id) return;
  }
}

describe('the program that keeps a copy in step', () => {
  it('keeps it right across its own restarts and those of the service', async () => {
    let following = launch('--follow');
    await expectInStep();

    const changing = change(40);
    for (let n = 0; n < 3; n++) {
      await sleep(150);
      await kill(following);
      // Whatever the moment was: the file is whole.
      expect(Number((await readCopy()).position)).toBeGreaterThanOrEqual(0);
      following = launch('--follow');
    }
    await changing;
    await expectInStep();

    await store.restart();
    proxy.forwardTo(store.origin);
    client = connect();
    await change(5);
    await expectInStep();
    expect(following.exitCode).toBeNull();
  }, 180_000);

  it('catches up with what happened while it did not run', async () => {
    await runToEnd();
    await change(10);
    await untilInFeed();
    await runToEnd();
    expect(byId((await readCopy()).pets)).toBe(await everyPet());
  }, 120_000);

  it('misses nothing that happens while it reads everything for the first time', async () => {
    await rm(copyFile);
    await change(1);
    const unavailable = { status: 503, headers: { 'Retry-After': '1' }, body: '{"code":"","message":""}' };
    proxy.seen();
    proxy.next({ kind: 'none' }, { kind: 'answer', answer: unavailable });
    const ended = runToEnd();
    // Between the first request and the second one, which is repeated after a second.
    let seen = 0;
    await waitFor(() => (seen += proxy.seen().length) >= 2);
    await change(3);
    await untilInFeed();
    await ended;
    await runToEnd();
    expect(byId((await readCopy()).pets)).toBe(await everyPet());
  }, 120_000);

  it('may run several times at once on one file', async () => {
    for (let round = 0; round < 2; round++) {
      await rm(copyFile, { force: true });
      await Promise.all(Array.from({ length: 4 }, () => runToEnd()));
      expect(byId((await readCopy()).pets)).toBe(await everyPet());
    }
  }, 120_000);

  it('begins anew when its position is gone', async () => {
    const ghost = { id: 9_223_372_036_854_775_807n, name: 'Ghost', categoryId: 1n, status: 'sold' };
    await writeFile(copyFile, toJson({ position: '9223372036854775806', pets: [ghost] }));
    await runToEnd();
    expect(byId((await readCopy()).pets)).toBe(await everyPet());
  }, 120_000);
});
