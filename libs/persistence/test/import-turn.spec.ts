import { expect, it } from '@jest/globals';
import { ImportBusyError, type ImportProgress, ImportTurn } from '../src/pets/import-turn.js';
import { TestDatabase } from './test-database.js';

const db = new TestDatabase();

/** Takes the turn of a source, and does something while it has it. */
const inTurn = (work: (turn: ImportTurn) => Promise<unknown>): Promise<unknown> =>
  ImportTurn.run({ url: db.postgres.url, applicationName: 'import' }, 'source mine', work);
const writes = (turn: ImportTurn): Promise<unknown> =>
  db.stores.unitOfWork.run((tx) => turn.requireIn(tx, 'mine'));

it('is taken from an import that has lost its session, and not given back', async () => {
  await inTurn(async (turn) => {
    await turn.claim('mine');
    await writes(turn);
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'import'`,
    );
    // Nobody else has it yet.
    await writes(turn);
    await inTurn(async (other) => {
      await writes(turn);
      await other.claim('mine');
      await expect(writes(turn)).rejects.toThrow(ImportBusyError);
      await expect(turn.claim('mine')).rejects.toThrow();
      await writes(other);
    });
    await expect(writes(turn)).rejects.toThrow(ImportBusyError);
  });
});

it('is not taken while a batch is written', async () => {
  await inTurn(async (turn) => {
    await turn.claim('mine');
    let claim: Promise<unknown> = Promise.resolve();
    let isClaimed = false;
    await db.stores.unitOfWork.run(async (tx) => {
      await turn.requireIn(tx, 'mine');
      claim = turn.claim('mine').then(() => (isClaimed = true));
      await db.untilBlocked();
      expect(isClaimed).toBe(false);
    });
    await claim;
  });
});

it('lets a file be gone on with behind what is done, and there only', async () => {
  const progress = { token: 'token', fingerprint: '00'.repeat(32), before: 0, records: 100, animals: 90 };
  const advance = (change: Partial<ImportProgress> = {}): Promise<unknown> =>
    inTurn((turn) => db.stores.unitOfWork.run((tx) => turn.advance(tx, { ...progress, ...change })));
  await advance();
  await expect(advance()).rejects.toThrow(ImportBusyError);
  await advance({ before: 100, records: 150, animals: 50 });
  await expect(advance({ before: 100, records: 200 })).rejects.toThrow(ImportBusyError);
  expect(await db.query('select records, animals from pet_imports')).toEqual([
    { records: '150', animals: '140' },
  ]);
});
