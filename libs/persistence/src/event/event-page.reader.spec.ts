import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rowBody } from '../testing/wire-rows.js';
import { EventPageReader } from './event-page.reader.js';

/** A row in the middle of what came with it; `null` is a column without a value. */
function row(columns: readonly (string | null)[]) {
  const around = Buffer.from('DRow"\\');
  const body = rowBody(columns.map((column) => column ?? ''));
  let at = 2;
  for (const column of columns) {
    const length = body.readInt32BE(at);
    if (column === null) body.writeInt32BE(-1, at);
    at += 4 + length;
  }
  return { bytes: Buffer.concat([around, body, around]), at: around.length };
}

const position = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String);
/** Short and long ones, some of several bytes a character: what is kept of an event is not looked at. */
const json = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.integer({ min: 200, max: 3_000 }).map((length) => `{"x":"${'é🐶'.repeat(length / 3)}"}`),
);

describe('EventPageReader', () => {
  it('makes one array of the events as they are kept, and says what the rows say', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ position, json }), { minLength: 1, maxLength: 100 }),
        position,
        position,
        fc.nat(3),
        (events, first, newest, room) => {
          const reader = new EventPageReader(events.length + room);
          for (const event of events) reader.take(row([first, newest, event.position, event.json]));
          const read = reader.answer();
          expect(Buffer.from(read.json).toString()).toBe(`[${events.map((event) => event.json).join(',')}]`);
          expect(read).toMatchObject({ count: events.length, last: events.at(-1)?.position, first, newest });
        },
      ),
    );
  });

  it('makes an empty array of the row that says only where the feed begins and ends', () => {
    const reader = new EventPageReader(20);
    reader.take(row(['900', '1042', null, null]));
    const read = reader.answer();
    expect(Buffer.from(read.json).toString()).toBe('[]');
    expect(read).toMatchObject({ count: 0, last: undefined, first: '900', newest: '1042' });
  });

  it('has no answer without any row', () => {
    expect(() => new EventPageReader(20).answer()).toThrow('event_head has lost its row');
  });
});
