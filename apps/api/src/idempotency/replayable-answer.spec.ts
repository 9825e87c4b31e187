import { describe, expect, it } from '@jest/globals';
import { JsonResponse } from '@petstore/http-kernel';
import { replayOf, toStoredAnswer } from './replayable-answer.js';

const SAME = { 'Cache-Control': 'private, no-cache' };

describe('a first answer', () => {
  it('is given again with its status, body, Location and ETag, and a field that says so', () => {
    const headers = { ...SAME, Location: '/v1/pets/9223372036854775807', ETag: '"a"' };
    const first = JsonResponse.created('{"id":9223372036854775807}', headers);
    expect(replayOf(toStoredAnswer(first))).toEqual(
      JsonResponse.created('{"id":9223372036854775807}', { ...headers, 'Idempotent-Replayed': 'true' }),
    );
  });

  it('has no more fields when it is given again than it had', () => {
    expect(replayOf(toStoredAnswer(JsonResponse.ok('[]', SAME)))).toEqual(
      JsonResponse.ok('[]', { ...SAME, 'Idempotent-Replayed': 'true' }),
    );
  });

  it('may be bytes of UTF-8', () => {
    const { json } = replayOf(toStoredAnswer(JsonResponse.ok(Buffer.from('"🐇"'), SAME)));
    expect(json).toBe('"🐇"');
  });

  it.each([
    ['a field that is not kept', { ...SAME, Link: '</v1/pets>; rel="next"' }],
    ['another Cache-Control', { ...SAME, 'Cache-Control': 'no-store' }],
    ['no Cache-Control', {}],
  ])('with %s is an error of the program', (_what, headers) => {
    expect(() => toStoredAnswer(JsonResponse.ok('[]', headers))).toThrow(/header field/);
  });
});
