import { expect, it } from '@jest/globals';
import { EMPTY_TABLES } from '@petstore/test-servers';
import fc from 'fast-check';
import { anyCommands } from './pet-model.js';
import { serve } from '../support/running-service.js';

const { running, client } = await serve();

/** Makes the service as new, while it runs. */
const empty = (): Promise<unknown> => running.database.manager.query(EMPTY_TABLES);

it('the service does what a model of a few lines does, whatever clients do to animals', async () => {
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(anyCommands, async (commands) => {
      await empty();
      const model = { pets: new Map(), events: [], ids: [], answers: new Map(), tags: new Map() };
      await fc.asyncModelRun(() => ({ model, real: client }), commands);
      ran += model.events.length;
    }),
    { numRuns: 8, endOnFailure: true },
  );
  expect(ran).toBeGreaterThan(30);
}, 60_000);
