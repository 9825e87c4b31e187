import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf } from './declared-operations.js';
import { DEPLOY } from './deploy-files.js';

const FOLDER = join(DEPLOY, 'proxies');
const files = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** Every error body that a file holds. */
const bodiesIn = (text: string): string[] => text.match(/\{"code":.*?"status":\d+\}/g) ?? [];

describe.each(files)('$name', ({ name, text }) => {
  it('answers with errors of the contract, in its form', () => {
    const bodies = bodiesIn(text);
    expect(bodies).not.toEqual([]);
    for (const body of bodies) {
      const { code, message, status, ...others } = JSON.parse(body) as Record<string, unknown>;
      expect(status).toBe(errorOf(String(code)).status);
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(others).toEqual({});
    }
  });

  it('has the status of the body in the status line', () => {
    const [first = ''] = text.split('\r\n');
    if (!first.startsWith('HTTP/')) return;
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const { status } = JSON.parse(body) as { status: number };
    expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    expect(head).toContain('Content-Type: application/json');
  });

  it('does not compress, and passes the id of a request on', () => {
    if (name.endsWith('.http')) return;
    expect(text).not.toMatch(/^\s*(gzip on|compression |encode )/m);
    expect(text).toMatch(/X-Request-Id/);
  });
});
