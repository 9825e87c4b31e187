import { existsSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startTestPostgres, type TestPostgres } from './postgres.js';

async function dataDirectory(server: TestPostgres): Promise<string> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return rows[0]?.data_directory ?? '';
}

it.each([false, true])(
  'leaves neither process nor folder when stopped, also when it was killed: %p',
  async (isKilled) => {
    const server = await startTestPostgres();
    const folder = await dataDirectory(server);
    expect(existsSync(folder)).toBe(true);
    if (isKilled) await server.kill();
    await server.stop();
    await server.stop();
    expect(existsSync(folder)).toBe(false);
    expect(() => process.kill(server.pid, 0)).toThrow('ESRCH');
  },
);
