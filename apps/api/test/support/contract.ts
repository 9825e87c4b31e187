import { expect } from '@jest/globals';
import type { Reply } from './client.js';
import { errorOf } from './declared-operations.js';

/** What an error says to people; empty for another response. */
export const messageOf = ({ text }: Reply): string =>
  (JSON.parse(text) as { message?: string }).message ?? '';

/** The response is this error, in exactly the form of the contract. */
export function expectError(reply: Reply, code: string): void {
  const body = JSON.parse(reply.text) as Record<string, unknown>;
  expect({ status: reply.status, code: body['code'] }).toEqual({
    status: errorOf(code).status,
    code,
  });
  expect(Object.keys(body).sort()).toEqual(['code', 'message', 'status']);
  expect(body['status']).toBe(reply.status);
  expect(body['message']).toMatch(/^[^\n]+\.$/);
  expect(reply.headers['content-type']).toBe('application/json');
  expect(reply.headers['link']).toMatch(
    new RegExp(`^<[^>]*/docs/guide/errors#${code}>; rel="help"; type="text/html"(?:, <|$)`),
  );
  expect(reply.headers['x-request-id']).toMatch(/^[\w-]{8,64}$/);
}

/** The response says how much is left (docs/contract.md, "Limits"). */
export function expectLimitHeaders(reply: Reply): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect({ [name]: reply.headers[name] }).toEqual({ [name]: expect.stringMatching(/^\d+$/) });
  }
  expect(reply.headers['ratelimit-policy']).toMatch(/^"minute";q=\d+;w=60, "day";q=\d+;w=86400$/);
  expect(reply.headers['ratelimit']).toMatch(/^"minute";r=\d+;t=\d+, "day";r=\d+;t=\d+$/);
}
