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

const position = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
/** The first and the newest one of the feed. */
const limits = fc.tuple(position, position);
/** Short and long ones, some of several bytes a character: what is kept of an event is not looked at. */
const json = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.integer({ min: 200, max: 30_000 }).map((length) => `[{"x":"${'é🐶'.repeat(length / 3)}"}]`),
);

describe('EventPageReader', () => {
  it('takes over what the row says, and keeps it when the bytes of the row are others', () => {
    fc.assert(
      fc.property(
        limits,
        fc.boolean(),
        fc.nat(100),
        position,
        json,
        ([first, newest], isWhole, count, last, text) => {
          const reader = new EventPageReader();
          const taken = row([first, newest, isWhole ? 't' : 'f', String(count), last, text]);
          reader.take(taken);
          taken.bytes.fill(0);
          const read = reader.answer();
          expect(Buffer.from(read.json).toString()).toBe(text);
          expect(read).toMatchObject({ isWhole, count, last, first, newest });
        },
      ),
    );
  });

  it('knows no last event of an empty page', () => {
    const reader = new EventPageReader();
    reader.take(row(['900', '1042', 't', '0', null, '[]']));
    const read = reader.answer();
    expect(Buffer.from(read.json).toString()).toBe('[]');
    expect(read).toMatchObject({ isWhole: true, count: 0, last: undefined, first: '900', newest: '1042' });
  });

  it('has no answer without any row', () => {
    expect(() => new EventPageReader().answer()).toThrow('event_head has lost its row');
  });
});
