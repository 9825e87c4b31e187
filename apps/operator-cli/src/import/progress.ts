import type { Terminal } from '../terminal/terminal.js';
import { wholeNumber } from '../view/format.js';
import { palette } from '../view/palette.js';

const CELLS = 30;
/** Between two pictures of the bar, in milliseconds. */
const BAR_INTERVAL_MS = 100;
/** Between two lines where there is no bar. */
const LINE_INTERVAL_MS = 5_000;

/**
 * How far a long piece of work has got, on standard error: a bar at a terminal, a line every five seconds elsewhere.
 */
export class Progress {
  private shownAt: number;
  private hasBar = false;

  /**
   * @param doing what is done, as a line begins: "Importing"
   * @param now milliseconds of a clock that only goes forward
   */
  constructor(
    private readonly terminal: Pick<Terminal, 'err' | 'colour' | 'progress'>,
    private readonly doing: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    // Short work shows neither.
    this.shownAt = now();
  }

  /** @param share 0 to 1 @param records that are done */
  at(share: number, records: number): void {
    const interval = this.terminal.progress ? BAR_INTERVAL_MS : LINE_INTERVAL_MS;
    if (this.now() - this.shownAt < interval) return;
    this.shownAt = this.now();
    const text = `${this.doing}: ${wholeNumber(records)} records, ${Math.floor(share * 100)} %`;
    if (this.terminal.progress) {
      this.terminal.err(`\r${this.bar(share)} ${text}\u001b[K`);
      this.hasBar = true;
    } else {
      this.terminal.err(`${text}\n`);
    }
  }

  /** Does the work, and takes the bar away, whatever becomes of it. */
  async during<Result>(work: (progress: Progress) => Promise<Result>): Promise<Result> {
    try {
      return await work(this);
    } finally {
      this.end();
    }
  }

  private end(): void {
    if (this.hasBar) this.terminal.err('\r\u001b[K');
    this.hasBar = false;
  }

  private bar(share: number): string {
    const cells = Math.min(CELLS, Math.floor(share * CELLS));
    const paint = palette(this.terminal);
    return paint('green', '█'.repeat(cells)) + paint('dim', '░'.repeat(CELLS - cells));
  }
}
