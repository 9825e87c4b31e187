import type { EventPosition } from '@petstore/event-feed';
import type { RawRow, RowReader } from '../pipeline/raw-rows.js';

const [OPEN, COMMA, CLOSE] = [...Buffer.from('[,]')] as [number, number, number];

/** Bytes of an event of usual length; longer ones cost a copy. */
const USUAL_BYTES = 256;

/** A page and the limits of the feed, as the database gives them. */
export interface ReadEvents {
  readonly json: Uint8Array;
  readonly count: number;
  /** Of the last event of the page. */
  readonly last: EventPosition | undefined;
  readonly first: EventPosition;
  readonly newest: EventPosition;
}

/** Reads the rows of a page: first and newest position of the feed, position and JSON of an event. */
export class EventPageReader implements RowReader<ReadEvents> {
  private bytes: Buffer;
  private end = 0;
  private count = 0;
  private first = '';
  private newest = '';
  private last = '';

  /** @param limit how many events there will be, at the most */
  constructor(limit: number) {
    this.bytes = Buffer.allocUnsafe(limit * USUAL_BYTES);
    this.bytes[this.end++] = OPEN;
  }

  take({ bytes, at }: RawRow): void {
    const columns = new Columns(bytes, at);
    this.first = columns.text();
    this.newest = columns.text();
    const position = columns.text();
    if (position === '') return;
    this.last = position;
    const [start, end] = columns.range();
    this.makeRoom(end - start + 2);
    if (this.count++ > 0) this.bytes[this.end++] = COMMA;
    bytes.copy(this.bytes, this.end, start, end);
    this.end += end - start;
  }

  answer(): ReadEvents {
    if (this.newest === '') throw new Error('The table event_head has lost its row.');
    this.bytes[this.end++] = CLOSE;
    return {
      json: this.bytes.subarray(0, this.end),
      count: this.count,
      last: this.last === '' ? undefined : (this.last as EventPosition),
      first: this.first as EventPosition,
      newest: this.newest as EventPosition,
    };
  }

  private makeRoom(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe((this.end + more) * 2);
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
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

  range(): readonly [start: number, end: number] {
    const start = this.next + 4;
    this.next = start + Math.max(0, this.bytes.readInt32BE(this.next));
    return [start, this.next];
  }

  /** Of ASCII characters. */
  text(): string {
    const [start, end] = this.range();
    return this.bytes.toString('latin1', start, end);
  }
}
