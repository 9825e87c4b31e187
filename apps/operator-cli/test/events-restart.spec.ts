import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { EventsTool } from './events-tool.js';

const tool = new EventsTool();
const { events, json } = tool;

describe('restart', () => {
  const position = async (): Promise<unknown> =>
    (await tool.admin.query('select position, first from event_head')).rows[0];

  it('is done when a person types yes', async () => {
    const { exit, out, err } = await events(['restart'], { typed: 'yes\n' });
    expect(err).toMatch(/^Every reader of the feed .* Type yes to go on: $/);
    expect({ exit, out }).toEqual({
      exit: 0,
      out: expect.stringMatching(/^The feed begins anew after position 1,000,000\. .*410 position_gone/),
    });
    expect(await position()).toEqual({ position: '1000000', first: '1000000' });
  });

  it.each(['', '\n', 'no\n', 'y\n', 'yes please\n', 'YES\n'])(
    'is not done when a person types %j',
    async (typed) => {
      const { exit, out, err } = await events(['restart'], { typed });
      expect({ exit, out }).toEqual({ exit: 1, out: '' });
      expect(err).toMatch(/error: Nothing was done: it was not confirmed\.\n$/);
      expect(await position()).toEqual({ position: '0', first: '0' });
    },
  );

  it('is not done for a script that does not say --yes', async () => {
    expect(await events(['restart'])).toEqual({
      exit: 1,
      out: '',
      err: 'error: Nothing was done: nobody is at the terminal to confirm it. Say --yes.\n',
    });
    expect(await position()).toEqual({ position: '0', first: '0' });
    expect(await json('restart', '--yes')).toEqual({ first: '1000000' });
  });
});

describe('the tool', () => {
  it.each(['status', 'recount', 'restart'])('has examples in the help of %s', async (name) => {
    const { exit, out } = await events([name, '--help']);
    expect(exit).toBe(0);
    expect(out).toMatch(/Examples?:\n {2}\$ npm run/);
    expect(out).toContain('--json');
  });

  it.each<[string, string[], RegExp]>([
    ['no command', [], /Usage: npm run events/],
    ['a mistyped command', ['recont'], /Did you mean recount/],
    ['an unknown option', ['status', '--al'], /unknown option '--al'/],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { exit, out, err } = await events(args);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(message);
  });

  it.each(['status', 'recount'])('exits with 1 when the database is unavailable: %s', async (command) => {
    const { exit, out, err } = await events([command], { url: 'postgres://u:secret@127.0.0.1:1/x' });
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toMatch(/^error: DATABASE_URL is postgres:\/\/u:\*\*\*@\S+: no server listens there/);
  });

  it('exits with 1 and says why when something holds the lock of the sequencer', async () => {
    const other = new Client(tool.server.url);
    await other.connect();
    try {
      await other.query('begin; select 1 from event_head for update');
      const { exit, out, err } = await events(['recount']);
      expect({ exit, out }).toEqual({ exit: 1, out: '' });
      expect(err).toMatch(
        /^error: Another program has held the lock of the sequencer for 10 seconds, and nothing/,
      );
    } finally {
      await other.end();
    }
  }, 60_000);
});
