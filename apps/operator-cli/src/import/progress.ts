import type { Terminal } from '../terminal.js';
import { bar, wholeNumber } from '../output.js';

const CELLS = 30;
/** Between two updates of the bar, in milliseconds. */
const BAR_INTERVAL_MS = 100;
/** Between two lines where there is no bar. */
const LINE_INTERVAL_MS = 5_000;

/** Says how far a piece of work has got. @param share 0 to 1 @param records that are done */
export type ReportProgress = (share: number, records: number) => void;

/**
 * Shows how far a long piece of work has got, on standard error: a bar at a terminal, which goes when the work ends, a
 * line every five seconds elsewhere. Short work shows neither.
 *
 * @param doing what is done, as a line begins: "Importing"
 * @param now milliseconds of a clock that only goes forward
 */
export async function withProgress<Result>(
  terminal: Pick<Terminal, 'err' | 'paint' | 'redrawsLines'>,
  doing: string,
  work: (report: ReportProgress) => Promise<Result>,
  now: () => number = () => performance.now(),
): Promise<Result> {
  const interval = terminal.redrawsLines ? BAR_INTERVAL_MS : LINE_INTERVAL_MS;
  let shownAt = now();
  // Set by `report`, which the compiler does not see.
  let hasBar = false as boolean;
  const report = (share: number, records: number): void => {
    if (now() - shownAt < interval) return;
    shownAt = now();
    const text = `${doing}: ${wholeNumber(records)} records, ${Math.floor(share * 100)} %`;
    if (!terminal.redrawsLines) {
      terminal.err(`${text}\n`);
      return;
    }
    const cells = Math.min(CELLS, Math.floor(share * CELLS));
    terminal.err(`\r${bar(cells, CELLS, 'green', terminal.paint)} ${text}\u001b[K`);
    hasBar = true;
  };
  try {
    return await work(report);
  } finally {
    if (hasBar) terminal.err('\r\u001b[K');
  }
}
