import type { EventPosition } from '@petstore/event-feed';
import type { RawRow, RowReader } from '../pipeline/raw-rows.js';

/** A page and the limits of the feed, as the database gives them. */
export interface ReadEvents {
  readonly json: Uint8Array;
  /** Whether these are all events of the page; otherwise there may be more. */
  readonly isWhole: boolean;
  readonly count: number;
  /** Of the last event of the page. */
  readonly last: EventPosition | undefined;
  readonly first: EventPosition;
  readonly newest: EventPosition;
}

/** Reads the one row of a page: `feed-statements.ts` names its columns. */
export class EventPageReader implements RowReader<ReadEvents> {
  private read: ReadEvents | undefined;

  take({ bytes, at }: RawRow): void {
    const columns = new Columns(bytes, at);
    const [first, newest, isWhole] = [columns.text(), columns.text(), columns.text()];
    const [count, last] = [columns.text(), columns.text()];
    this.read = {
      first: first as EventPosition,
      newest: newest as EventPosition,
      isWhole: isWhole === 't',
      count: Number(count),
      last: last === '' ? undefined : (last as EventPosition),
      json: columns.copy(),
    };
  }

  answer(): ReadEvents {
    if (this.read === undefined) throw new Error('The table event_head has lost its row.');
    return this.read;
  }
}

/** The columns of a row, one after the other; NULL is empty. */
class Columns {
  private next: number;

  constructor(
    private readonly bytes: Buffer,
    at: number,
  ) {
    this.next = at + 2;
  }

  /** Of ASCII characters. */
  text(): string {
    const [start, end] = this.range();
    return this.bytes.toString('latin1', start, end);
  }

  /** The bytes of the row are others when the reader has returned. */
  copy(): Uint8Array {
    const [start, end] = this.range();
    return Buffer.from(this.bytes.subarray(start, end));
  }

  private range(): readonly [start: number, end: number] {
    const start = this.next + 4;
    this.next = start + Math.max(0, this.bytes.readInt32BE(this.next));
    return [start, this.next];
  }
}
