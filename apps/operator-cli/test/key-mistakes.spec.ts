import { describe, expect, it } from '@jest/globals';
import { KeyTool } from './key-tool.js';

const { key, json, create } = new KeyTool();

describe('a mistake', () => {
  it.each<[string, string[], RegExp]>([
    ['no command', [], /Usage: npm run key/],
    ['an unknown command', ['remove'], /unknown command 'remove'/],
    ['a mistyped command', ['creat'], /Did you mean create/],
    ['no name', ['create', '--plan', 'free'], /required option '--name <name>'/],
    ['no plan', ['create', '--name', 'x'], /required option '--plan <plan>'/],
    ['an unknown plan', ['create', '--name', 'x', '--plan', 'gold'], /free, pro, business, enterprise/],
    ['a plan in capitals', ['create', '--name', 'x', '--plan', 'Free'], /Allowed choices/],
    [
      'an unknown scope',
      ['create', '--name', 'x', '--plan', 'free', '--scopes', 'pets:all'],
      /pets:read, .* and webhooks:manage, separated/,
    ],
    ['an empty scope', ['create', '--name', 'x', '--plan', 'free', '--scopes', ''], /"" is no scope/],
    ['an empty name', ['create', '--name', ' ', '--plan', 'free'], /A name is 1 to 100/],
    [
      'a name that turns a line around',
      ['create', '--name', 'a\u202eb', '--plan', 'free'],
      /visible.*U\+202E/,
    ],
    ['an invisible name', ['create', '--name', 'shop\u200b', '--plan', 'free'], /visible.*U\+200B/],
    ['an invisible --by', ['revoke', 'key_0000000000000000', '--by', 'an\u200bna'], /Say who does this/],
    ['a name of two lines', ['create', '--name', 'a\nb', '--plan', 'free'], /on one line/],
    [
      'a past expiry',
      ['create', '--name', 'x', '--plan', 'free', '--expires', '2020-01-01'],
      /in the future/,
    ],
    [
      'an expiry without zone',
      ['create', '--name', 'x', '--plan', 'free', '--expires', '2030-01-01T10:00'],
      /with its zone/,
    ],
    [
      'a day that does not exist',
      ['create', '--name', 'x', '--plan', 'free', '--expires', '2030-02-30'],
      /Say a date/,
    ],
    [
      'an expiry in words',
      ['create', '--name', 'x', '--plan', 'free', '--expires', 'tomorrow'],
      /Say a date/,
    ],
    [
      'numbers for a fixed plan',
      ['create', '--name', 'x', '--plan', 'pro', '--per-minute', '5'],
      /Only an enterprise key/,
    ],
    ['no numbers for enterprise', ['create', '--name', 'x', '--plan', 'enterprise'], /needs its own limits/],
    [
      'a limit of zero',
      ['create', '--name', 'x', '--plan', 'enterprise', '--per-minute', '0', '--per-day', '1'],
      /whole number from 1/,
    ],
    [
      'a limit like 1e3',
      ['create', '--name', 'x', '--plan', 'enterprise', '--per-minute', '1e3', '--per-day', '1'],
      /whole number from 1/,
    ],
    ['an id that is none', ['show', '17'], /An id looks like key_/],
    ['no id', ['revoke'], /missing required argument 'id'/],
    ['a broken overlap', ['rotate', 'key_0000000000000000', '--overlap', '1 day'], /24h, 30m, 7d/],
    ['nothing to change', ['update', 'key_0000000000000000'], /say what to change/],
    ['an unknown option', ['list', '--al'], /unknown option '--al'/],
    ['an empty --by', ['revoke', 'key_0000000000000000', '--by', ' '], /Say who does this/],
    [
      'a key on the command line',
      ['create', '--name', 'x', '--plan', 'free', 'secret'],
      /too many arguments/,
    ],
  ])('such as %s exits with 2 and says what is wrong', async (_, args, message) => {
    const outcome = await key(args);
    expect(outcome).toMatchObject({ exit: 2, out: '' });
    expect(outcome.err).toMatch(message);
  });

  it.each(['show', 'revoke', 'rotate', 'unban'])('such as %s of no key exits with 1', async (command) => {
    const outcome = await key([command, 'key_0000000000000000']);
    expect(outcome).toMatchObject({ exit: 1, out: '' });
    expect(outcome.err).toBe(
      'error: No key has the id key_0000000000000000. The command list shows those there are.\n',
    );
  });

  it('such as changing a revoked key exits with 2', async () => {
    const { id } = await create();
    await json('revoke', id);
    expect((await key(['update', id, '--plan', 'free'])).err).toContain('was revoked at');
    expect(await key(['rotate', id])).toMatchObject({ exit: 2, out: '' });
    expect(await key(['revoke', id])).toMatchObject({ exit: 0 });
  });

  it('such as a database without pepper exits with 2 and names the variable', async () => {
    const outcome = await key(['list'], { environment: { API_KEY_PEPPER: '' } });
    expect(outcome).toMatchObject({ exit: 2, out: '' });
    expect(outcome.err).toContain('API_KEY_PEPPER');
  });

  it.each(['127.0.0.1', 'localhost'])(
    'such as a database that is unavailable on %s exits with 1',
    async (host) => {
      const outcome = await key(['list'], {
        environment: { DATABASE_URL: `postgres://u:secret@${host}:1/x` },
      });
      expect(outcome).toMatchObject({ exit: 1, out: '' });
      expect(outcome.err).toMatch(
        /^error: DATABASE_URL is postgres:\/\/u:\*\*\*@\S+: no server listens there \(ECONNREFUSED\)\..*\n$/,
      );
    },
  );
});
