import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { memoryFolder, putDatabase, type TemporaryFolder } from '@petstore/test-servers';
import { Program } from './program.js';

let folder: TemporaryFolder;
let program: Program;
const silent: net.Socket[] = [];

beforeAll(async () => {
  folder = await memoryFolder('open-file-limit');
  await putDatabase(folder.path);
  program = new Program(folder.path, { OPS_PORT: '0' }, { shell: 'ulimit -n 256; exec "$@"' });
  await program.started();
});
afterAll(async () => {
  for (const socket of silent) socket.destroy();
  await program.end('SIGKILL');
  await folder.remove();
});

it('below MAX_CONNECTIONS leaves room for new connections, the database and the management listener', async () => {
  const { port } = new URL(program.origin);
  for (let n = 0; n < 400; n++) {
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    silent.push(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  }
  const headers = { Authorization: `Bearer ${program.key ?? ''}` };
  // At once, so that the service opens further connections to PostgreSQL.
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      fetch(`${program.origin}/v1/pets`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: `pet ${n}`, categoryId: 1 }),
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  const [listening] = program.logged('listening');
  expect((await fetch(`${String(listening?.['management'])}/readyz`)).status).toBe(200);
  expect(program.logged('limit of open files lowers MAX_CONNECTIONS')).toEqual([
    expect.objectContaining({ level: 40, openFiles: 256, maxConnections: 128 }),
  ]);
  expect(await program.end()).toBe(0);
});
