import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestPostgres } from '@petstore/test-servers';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { prepareSession } from '../src/pipeline/prepare-session.js';
import { READS, WRITES } from '../src/schema/resources.js';
import { startMigratedServer } from './migrated-server.js';

let server: TestPostgres;

beforeAll(async () => {
  server = await startMigratedServer();
});
afterAll(() => server.stop());

it('keeps with each statement its own text only, because PostgreSQL copies it at every execution', async () => {
  const statements = [...READS, ...WRITES];
  const client = await openClient({ connectionString: server.url }, 5_000, prepareSession(statements));
  try {
    const { rows } = await client.query<{ name: string; statement: string }>(
      'select name, statement from pg_prepared_statements order by name',
    );
    expect(rows.map(({ name }) => name)).toEqual(statements.map(({ name }) => name).sort());
    const words = (text: string): readonly string[] => text.trim().split(/\s+/);
    for (const { name, statement } of rows) {
      const { text } = statements.find((each) => each.name === name) ?? { text: '' };
      expect(words(statement)).toEqual(['prepare', name, 'as', ...words(text)]);
      expect(statement.length).toBeLessThan(text.length + 100);
    }
  } finally {
    await endClient(client);
  }
});
