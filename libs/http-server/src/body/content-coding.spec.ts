import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { brotliCompressSync, constants, createBrotliCompress, deflateSync, gzipSync } from 'node:zlib';
import { ApiError } from '@petstore/http-kernel';
import { type ContentCoding, contentCodingOf, decodeBody, MAX_ENCODED_BYTES } from './content-coding.js';

const MOST = 16 * 1024;

function refusalOf(coding: ContentCoding, body: Buffer): string | undefined {
  try {
    decodeBody(coding, body, MOST);
    return undefined;
  } catch (error) {
    return (error as ApiError).code;
  }
}

/** Written with a flush in between, so that no part knows whether another follows. */
async function brotliInParts(parts: readonly string[], window: number): Promise<Buffer> {
  const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_LGWIN]: window } });
  const chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const part of parts) {
    encoder.write(part);
    await new Promise<void>((resolve) => {
      encoder.flush(() => {
        resolve();
      });
    });
  }
  await new Promise<void>((resolve) => encoder.on('end', resolve).end());
  return Buffer.concat(chunks);
}

describe('contentCodingOf', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['Identity', 'identity'],
    ['GZIP', 'gzip'],
    ['deflate', 'deflate'],
    ['br', 'br'],
  ])('takes %s as %s', (field, coding) => {
    expect(contentCodingOf(field)).toBe(coding);
  });

  it.each(['zstd', 'x-gzip', 'gzip, gzip', 'gzip,', ' gzip', 'constructor', 'compress'])(
    'refuses %s',
    (field) => {
      expect(() => contentCodingOf(field)).toThrow(ApiError);
    },
  );
});

describe('decodeBody', () => {
  it('gives back what was encoded', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 300 });
    const params = fc.record({
      [constants.BROTLI_PARAM_LGWIN]: fc.integer({ min: 10, max: 24 }),
      [constants.BROTLI_PARAM_QUALITY]: fc.integer({ min: 2, max: 11 }),
    });
    fc.assert(
      fc.property(text, params, (plain, params) => {
        const body = Buffer.from(plain);
        expect(decodeBody('gzip', gzipSync(body), MOST)).toEqual(body);
        expect(decodeBody('deflate', deflateSync(body), MOST)).toEqual(body);
        const encoded = brotliCompressSync(body, { params });
        expect(decodeBody('br', encoded, MOST)).toEqual(body);
      }),
    );
  });

  describe.each([10, 16, 17, 18, 22, 24])('a Brotli stream in parts, with a window of 2^%i', (window) => {
    it('is read where all parts but the last are too short to be compressed', async () => {
      const parts = ['{"na', 'me":', '"Rex","categoryId":7}'];
      expect(decodeBody('br', await brotliInParts(parts, window), MOST).toString()).toBe(parts.join(''));
    });

    it('is refused where a compressed part is not the last: how much follows cannot be told', async () => {
      const encoded = await brotliInParts([`{"name":"${'The fox '.repeat(9)}",`, '"categoryId":7}'], window);
      expect(refusalOf('br', encoded)).toBe('payload_too_large');
    });
  });

  it('takes the largest animal, with any coding', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0x20000, max: 0x2a6df }), { minLength: 255, maxLength: 255 }),
        (points) => {
          const body = Buffer.from(
            `{"name":"${String.fromCodePoint(...points)}","categoryId":9223372036854775807,"status":"available"}`,
          );
          for (const [coding, encoded] of [
            ['gzip', gzipSync(body)],
            ['deflate', deflateSync(body)],
            ['br', brotliCompressSync(body)],
          ] as const) {
            expect(encoded.length).toBeLessThan(MAX_ENCODED_BYTES);
            expect(decodeBody(coding, encoded, MOST)).toEqual(body);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(MOST + 1))],
    ['deflate', deflateSync(Buffer.alloc(MOST + 1))],
    ['br', brotliCompressSync(Buffer.alloc(MOST + 1))],
    // One byte, then 16 MB of zeros.
    ['br', Buffer.from('DwCAe/k/Qo9/AiAeCwRyN+gB', 'base64')],
  ] as const)('refuses what gets larger than it may: %s', (coding, body) => {
    expect(refusalOf(coding, body)).toBe('payload_too_large');
  });

  it.each([
    ['gzip', gzipSync('{}').subarray(0, -1)],
    ['gzip', Buffer.concat([gzipSync('{}'), Buffer.from('garbage')])],
    ['deflate', deflateSync('{}').subarray(0, -1)],
    ['br', brotliCompressSync('{"name":"Rex"}').subarray(0, -1)],
    ['gzip', Buffer.from('{}')],
    ['deflate', Buffer.from('{}')],
  ] as const)('refuses what is broken: %s', (coding, body) => {
    expect(refusalOf(coding, body)).toBe('bad_request');
  });

  it('takes nothing for nothing', () => {
    for (const coding of ['gzip', 'deflate', 'br'] as const)
      expect(refusalOf(coding, Buffer.alloc(0))).toBeUndefined();
  });
});
