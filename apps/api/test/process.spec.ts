import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryFolder, putDatabase, type TemporaryFolder } from '@petstore/test-servers';
import { Client } from './client.js';
import { Program } from './program.js';

const programs: Program[] = [];
const folders: TemporaryFolder[] = [];

async function newFolder(): Promise<string> {
  const folder = await memoryFolder('process');
  folders.push(folder);
  return folder.path;
}

/** For tests that are not about making the database. */
async function folderWithDatabase(): Promise<string> {
  const folder = await newFolder();
  await putDatabase(folder);
  return folder;
}

function run(dataDir: string, environment?: Record<string, string>): Program {
  const program = new Program(dataDir, environment);
  programs.push(program);
  return program;
}

afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
  for (const folder of folders.splice(0)) await folder.remove();
});

describe('the program', () => {
  it('shows at its first start an address, a key and a curl line that works, and the key never again', async () => {
    const folder = await newFolder();
    const first = await run(folder).started();
    const [, key = '', url = ''] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(first.output) ?? [];
    const reply = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toHaveLength(3);
    expect(await first.end()).toBe(0);

    const second = await run(folder).started();
    expect(second.key).toBeUndefined();
    const again = await fetch(`${second.origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } });
    expect(await again.json()).toHaveLength(5);
    expect(await second.end('SIGINT')).toBe(0);
  });

  it('loses nothing that it acknowledged when it is killed while writing, and starts again', async () => {
    const folder = await folderWithDatabase();
    const first = await run(folder).started();
    const writer = new Client(first.origin, first.key);
    const acknowledged: string[] = [];
    // The demo key has 60 requests; the program dies in the middle of them.
    const writing = Promise.allSettled(
      Array.from({ length: 50 }, async (_, i) => {
        const reply = await writer.post('/v1/pets', { name: `pet ${i}`, categoryId: 1 });
        if (reply.status === 201) acknowledged.push(reply.text);
        if (acknowledged.length === 10) void first.end('SIGKILL');
      }),
    );
    await writing;
    writer.close();
    await first.end('SIGKILL');

    const second = await run(folder).started();
    const kept = await (
      await fetch(`${second.origin}/v1/pets?limit=100`, {
        headers: { Authorization: `Bearer ${first.key ?? ''}` },
      })
    ).text();
    expect(acknowledged.length).toBeGreaterThanOrEqual(10);
    for (const pet of acknowledged) expect(kept).toContain(pet);
  });

  it('refuses a second start on the same folder, leaves the first alone, and opens no inspector for SIGUSR1', async () => {
    const folder = await folderWithDatabase();
    const first = await run(folder).started();
    const second = run(folder);
    expect(await second.end('SIGCONT')).toBe(1);
    expect(second.output).toContain(folder);
    expect(second.output.trim().split('\n')).toHaveLength(1);
    expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
    process.kill(first.pid, 'SIGUSR1');
    expect((await fetch(`${first.origin}/livez`)).status).toBe(200);
    expect(await first.end()).toBe(0);
    expect(first.output).not.toMatch(/Debugger|inspector/i);
  });

  it('ends with one message when its configuration is wrong', async () => {
    const program = run(await newFolder(), { PORT: 'http' });
    expect(await program.end('SIGCONT')).toBe(1);
    expect(program.output).toBe('PORT is "http"; allowed: a whole number from 0 to 65535.\n');
  });

  it('ends with one message when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const program = run(await folderWithDatabase(), { PORT: String(port), LOG_LEVEL: 'error' });
    expect(await program.end('SIGCONT')).toBe(1);
    expect(program.output).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
    other.close();
  });

  it('ends with one message when the database is not there', async () => {
    const program = run(await newFolder(), {
      DATABASE_URL: 'postgres://petstore:hunter2@127.0.0.1:1/petstore',
      API_KEY_PEPPER: 'pepper-of-the-process-tests',
      LOG_LEVEL: 'error',
    });
    expect(await program.end('SIGCONT')).toBe(1);
    expect(program.output).toContain('127.0.0.1:1');
    expect(program.output).not.toContain('hunter2');
  });

  it.each([
    [0, newFolder],
    // While it makes its database.
    [300, newFolder],
    // While it loads, and while the service starts.
    [100, folderWithDatabase],
    [600, folderWithDatabase],
  ])('stops in order when it is told to %i ms after its start', async (ms, folder) => {
    const program = run(await folder());
    await sleep(ms);
    const asked = Date.now();
    // So early that it has no handler yet, the signal ends it like any other process.
    const code = await program.end('SIGTERM');
    expect([0, null]).toContain(code);
    expect(Date.now() - asked).toBeLessThan(10_000);
  });
});
