import { beforeEach, describe, expect, it } from '@jest/globals';
import { stripVTControlCharacters } from 'node:util';
import { startTestPostgres } from '@petstore/test-servers';
import { KeyTool } from './key-tool.js';

const { key, create } = new KeyTool();

describe('the help', () => {
  it('teaches the whole day', async () => {
    const { exit, out, err } = await key(['--help']);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    for (const word of [
      'create',
      'list',
      'show',
      'update',
      'rotate',
      'revoke',
      'unban',
      '300',
      'pets:read',
    ]) {
      expect(out).toContain(word);
    }
  });

  it.each(['create', 'list', 'show', 'update', 'rotate', 'revoke', 'unban'])(
    'of %s has examples',
    async (name) => {
      const { exit, out } = await key([name, '--help']);
      expect(exit).toBe(0);
      expect(out).toMatch(/Examples?:\n {2}\$ npm run/);
      expect(out).toContain('--json');
    },
  );
});

describe('colour', () => {
  beforeEach(async () => {
    await create();
    await create();
  });

  it('is there at a terminal, and the table stands straight', async () => {
    const { out } = await key(['list'], { colour: true });
    expect(out).toContain('\u001b[32mactive\u001b[39m');
    const [, first, second] = stripVTControlCharacters(out).split('\n');
    expect(first?.indexOf('active')).toBe(second?.indexOf('active'));
  });

  it('is nowhere else', async () => {
    const { out } = await key(['list']);
    expect(out).not.toContain('\u001b');
  });
});

it('says what to do when there is no key yet', async () => {
  const empty = await startTestPostgres();
  const { exit, out } = await key(['list'], { environment: { DATABASE_URL: empty.url } });
  expect(exit).toBe(0);
  expect(out).toContain('npm run key -- create');
  expect((await key(['list', '--json'], { environment: { DATABASE_URL: empty.url } })).out).toBe('[]\n');
  await empty.stop();
});
