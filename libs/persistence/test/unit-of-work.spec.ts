import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Transaction } from '@petstore/pet-domain';
import { PetRow } from '../src/pet/pet.row.js';
import type { PostgresTransaction } from '../src/unit-of-work/postgres-transaction.js';
import { addOnce } from './add-once.js';
import { count, Counters, sql } from './counters.js';
import { rex } from './questions.js';
import { roundTrips } from './round-trips.js';

/** TypeORM writes the id into what it is given. */
const row = (): Partial<PetRow> => ({ ...rex });

let counters: Counters;

beforeAll(async () => {
  counters = await Counters.start('unit-of-work');
});
afterAll(() => counters.stop());
beforeEach(() => counters.reset());

const pets = async (): Promise<number> => (await counters.admin.query('select from pets')).rowCount ?? 0;

describe('a unit of work', () => {
  it('commits the changes of several stores together', async () => {
    const result = await counters.run(async (transaction) => {
      await transaction.ask(count('a'));
      const pet = await counters.database.pets.add(rex, transaction);
      transaction.defer(count('b'));
      return pet.name;
    });
    expect(result).toBe('Rex');
    expect(await counters.read()).toEqual(['1', '1']);
    expect(await pets()).toBe(1);
  });

  it('keeps nothing when its work fails, whose error passes unchanged', async () => {
    const failure = new Error('no');
    const failed = counters.run(async (transaction) => {
      await transaction.ask(count('a'));
      await counters.database.pets.add(rex, transaction);
      transaction.defer(count('b'));
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    expect(await counters.read()).toEqual(['0', '0']);
    expect(await pets()).toBe(0);
  });

  it('is not committed when its work goes on after a statement that failed', async () => {
    const failed = counters.run(async (transaction) => {
      await transaction.ask(count('a'));
      await transaction.ask(sql('select 1 / 0')).catch(() => undefined);
    });
    await expect(failed).rejects.toThrow('it was rolled back');
    expect(await counters.read()).toEqual(['0', '0']);
  });

  it('keeps nothing when a deferred statement fails', async () => {
    const failed = counters.run(async (transaction) => {
      await transaction.ask(count('a'));
      transaction.defer(sql(`insert into counters values ('a', 1)`), count('b'));
    });
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    expect(await counters.read()).toEqual(['0', '0']);
  });

  it('sends deferred statements before those that are asked later', async () => {
    const rows = await counters.run(async (transaction) => {
      transaction.defer(count('a'));
      const asked = await transaction.ask(
        count('a'),
        sql('select name, null, n > 1 from counters order by 1'),
      );
      expect(await transaction.ask(sql('select 1'))).toEqual([[['1']]]);
      return asked;
    });
    expect(rows).toEqual([
      [['2']],
      [
        ['a', null, 't'],
        ['b', null, 'f'],
      ],
    ]);
  });

  it('asks nothing of the database when it has nothing to ask', async () => {
    const before = await roundTrips(() => counters.run(() => Promise.resolve()));
    expect(before).toBe(0);
  });

  it('takes three round trips for a creation that happens once, and two for its repetition', async () => {
    const once = (): Promise<unknown> =>
      addOnce(counters.database, rex, { caller: 'a', token: 'round-trips' });
    expect(await roundTrips(once)).toBe(3);
    expect(await roundTrips(once)).toBe(2);
  });

  it('cannot be used after its end', async () => {
    let kept: PostgresTransaction | undefined;
    await counters.run((transaction) => {
      kept = transaction;
      return Promise.resolve();
    });
    await expect(kept?.ask(count('a'))).rejects.toThrow('This transaction has ended.');
    expect(() => kept?.defer(count('a'))).toThrow('This transaction has ended.');
    await expect(kept?.manager()).rejects.toThrow('This transaction has ended.');
    expect(await counters.read()).toEqual(['0', '0']);
  });

  it('refuses a transaction that is none', async () => {
    class Other extends Transaction {}
    await expect(counters.database.pets.add(rex, new Other())).rejects.toThrow(TypeError);
  });
});

describe("TypeORM's manager", () => {
  it('works within the transaction, sees what it has changed, and is over when it is', async () => {
    const manager = await counters.run(async (transaction) => {
      transaction.defer(count('a'));
      const entities = await transaction.manager();
      expect(await entities.query('select n from counters order by name')).toEqual([{ n: '1' }, { n: '0' }]);
      await entities.insert(PetRow, row());
      await entities.save(PetRow, row());
      expect(await entities.count(PetRow)).toBe(2);
      expect(await pets()).toBe(0);
      expect(await transaction.manager()).toBe(entities);
      return entities;
    });
    expect(await pets()).toBe(2);
    await expect(manager.count(PetRow)).rejects.toThrow('released');
  });

  it('is rolled back with the rest', async () => {
    const failed = counters.run(async (transaction) => {
      await (await transaction.manager()).save(PetRow, row());
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await pets()).toBe(0);
  });

  it('makes savepoints of transactions within the transaction', async () => {
    await counters.run(async (transaction) => {
      const entities = await transaction.manager();
      await entities.insert(PetRow, row());
      const inner = entities.transaction(async (within) => {
        await within.insert(PetRow, row());
        throw new Error('only this');
      });
      await expect(inner).rejects.toThrow('only this');
      await entities.transaction((within) => within.insert(PetRow, row()));
    });
    expect(await pets()).toBe(2);
  });
});
