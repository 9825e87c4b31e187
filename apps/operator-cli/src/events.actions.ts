import { EventMaintenance } from '@petstore/persistence';
import type { JsonOptions } from './output.js';
import { resultText } from './result.js';
import type { Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';

/** Seconds after which events wait for longer than sequencing ever takes while it works. */
const BEHIND_SECONDS = 5;
/** Seconds after which an alert fires, too: docs/operations.md, "PetstoreEventsBehind". */
const STALLED_SECONDS = 30;

const RESTARTED = `The feed begins anew. Its readers get 410 position_gone, and fetch everything again. Positions and the next ids
were raised by 1,000,000.

`;

function withEvents<Result>(
  terminal: Terminal,
  work: (maintenance: EventMaintenance) => Promise<Result>,
): Promise<Result> {
  return withDatabase(
    terminal,
    'petstore events',
    ({ database }) => work(new EventMaintenance(database.settings)),
    false,
  );
}

/** Says whether everything that has happened is in the feed. */
export async function showFeed({ json }: JsonOptions, terminal: Terminal): Promise<void> {
  const status = await withEvents(terminal, (maintenance) => maintenance.status());
  const { newest, first, waitingSeconds } = status;
  const isLate = waitingSeconds > STALLED_SECONDS ? 'stalled' : 'behind';
  const verdict = waitingSeconds > BEHIND_SECONDS ? isLate : 'ok';
  // Positions have no gap.
  const kept = String(BigInt(newest) - BigInt(first));
  terminal.out(resultText({ ...status, kept, verdict }, json));
}

/** Sets the inventory right, and says what was wrong. */
export async function recountAnimals({ json }: JsonOptions, terminal: Terminal): Promise<void> {
  terminal.out(resultText(await withEvents(terminal, (maintenance) => maintenance.recount()), json));
}

/** Makes all readers of the feed begin anew. */
export async function restartFeed({ json }: JsonOptions, terminal: Terminal): Promise<void> {
  const restarted = await withEvents(terminal, (maintenance) => maintenance.restart());
  terminal.out((json ? '' : RESTARTED) + resultText(restarted, json));
}
