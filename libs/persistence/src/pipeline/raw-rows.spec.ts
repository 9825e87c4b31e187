import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { PassThrough } from 'node:stream';
import { Client } from 'pg';
import { message, rowBody } from '../testing/wire-rows.js';
import { handOutRawRows, type RawRow } from './raw-rows.js';

const answer = fc.oneof(
  fc.record({ row: fc.string({ unit: anyCharacter, maxLength: 40 }) }),
  fc.record({ done: fc.constant(true) }),
);

describe('rows that are handed out raw', () => {
  it('come whole and in their order, however the bytes were cut on their way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
        async (answers, cuts) => {
          const client = new Client();
          handOutRawRows(client);
          const stream = new PassThrough();
          client.connection.attachListeners(stream);
          const seen: unknown[] = [];
          client.connection.on('dataRow', ({ bytes, at }: RawRow) => {
            const length = bytes.readInt32BE(at + 2);
            seen.push({ row: bytes.toString('utf8', at + 6, at + 6 + length) });
          });
          client.connection.on('readyForQuery', () => seen.push({ done: true }));
          const bytes = Buffer.concat(
            answers.map((each) =>
              'row' in each ? message('D', rowBody([each.row])) : message('Z', Buffer.from('I')),
            ),
          );
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const next = at + (cuts[i % cuts.length] ?? 1);
            stream.write(Buffer.from(bytes.subarray(at, next)));
            at = next;
          }
          stream.end();
          await new Promise((ended) => stream.once('end', ended));
          expect(seen).toEqual(answers);
        },
      ),
    );
  });

  it('leave errors to pg', async () => {
    const client = new Client();
    handOutRawRows(client);
    const stream = new PassThrough();
    client.connection.attachListeners(stream);
    const error = new Promise((told) => client.connection.once('errorMessage', told));
    stream.write(message('E', Buffer.from('SERROR\0C23514\0Mno\0\0')));
    expect(await error).toMatchObject({ code: '23514', message: 'no' });
  });
});
