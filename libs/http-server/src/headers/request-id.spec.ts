import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { assignRequestId, chooseRequestId, requestIdOf } from './request-id.js';

describe('chooseRequestId', () => {
  it.each(['12345678', 'a-b_c-D9', 'x'.repeat(64), 'pet_alive_1', 'pet-live-1'])('takes over %s', (id) => {
    expect(chooseRequestId(id)).toBe(id);
  });

  it.each([
    undefined,
    '',
    '1234567',
    'x'.repeat(65),
    'with space',
    'line\nbreak',
    'quote"quote',
    'ümlaut-ümlaut',
    `pet_live_${'0'.repeat(38)}`,
    `pet_test_${'0'.repeat(38)}`,
    'Pet_Live_0000',
    'order-PET_TEST_0000',
    'pet_live_',
  ])('makes a new one instead of %j', (id) => {
    const chosen = chooseRequestId(id);
    expect(chosen).not.toBe(id);
    expect(chosen).toMatch(/^[\w-]{36}$/);
  });
});

describe('assignRequestId', () => {
  const assigned = (headers: Record<string, string>): string | undefined => {
    const request = { headers } as unknown as IncomingMessage;
    assignRequestId(request, { setHeader: () => undefined } as unknown as ServerResponse);
    return requestIdOf(request);
  };

  it('takes over what a caller proposes, but no piece of the key that it sends', () => {
    const authorization = 'Bearer a-key-of-some-caller';
    expect(assigned({ authorization, 'x-request-id': 'order-12345' })).toBe('order-12345');
    expect(assigned({ authorization, 'x-request-id': 'a-key-of-some' })).not.toBe('a-key-of-some');
  });
});
