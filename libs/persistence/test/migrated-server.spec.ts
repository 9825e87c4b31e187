import { expect, it } from '@jest/globals';
import { startMigratedPostgres } from '@petstore/test-servers';
import { Database } from '../src/database/database.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { startMigratedServer } from './migrated-server.js';

it('has the tables of all migrations, and the row that events start from', async () => {
  const server = await startMigratedServer();
  const database = await Database.open({ url: server.url });
  try {
    expect(await database.manager.query('select name from schema_migrations order by id')).toEqual(
      MIGRATIONS.map(({ name }) => ({ name })),
    );
    expect(await database.migrate()).toEqual([]);
    expect(await database.manager.query('select position, first from event_head')).toHaveLength(1);
  } finally {
    await database.close();
    await server.stop();
  }
});

it('is migrated once for a workspace', async () => {
  await (await startMigratedServer()).stop();
  let opened = 0;
  const server = await startMigratedPostgres((settings) => {
    opened++;
    return Database.open(settings);
  });
  await server.stop();
  expect(opened).toBe(0);
});
