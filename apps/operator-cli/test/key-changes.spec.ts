import { PostgresKeyUsageStore } from '@petstore/persistence';
import { describe, expect, it } from '@jest/globals';
import { VisibleText } from '@petstore/api-key';
import { Client as PgClient } from 'pg';
import { type KeyObject, KeyTool, PEPPER } from './key-tool.js';

const tool = new KeyTool();
const { key, json, create } = tool;

describe('what an operator does in a day', () => {
  it('issue, watch, move up, rotate without an outage, revoke: each seen in the audit', async () => {
    const { id, key: first } = await create();
    await new PostgresKeyUsageStore(tool.database).add([
      {
        keyId: id as never,
        day: new Date().toISOString().slice(0, 10),
        requests: 9_312,
        refused: 41,
        lastUsedAt: new Date(Date.now() - 125_000),
        bannedUntil: undefined,
      },
    ]);
    const line = (await key(['list'])).out.split('\n').find((text) => text.startsWith(id));
    expect(line).toContain('█████████░ 9,271 / 10,000  41');
    expect(line).toContain('2 min ago');

    expect(await json('update', id, '--plan', 'business', '--by', 'Ben B')).toMatchObject({
      plan: 'business',
    });
    const { key: second, secrets } = await json('rotate', id, '--overlap', '1h');
    expect(secrets.map(({ lastFour }) => lastFour)).toEqual([first.slice(-4), second.slice(-4)]);
    for (const secret of [first, second]) {
      const found = await tool.find(secret);
      expect(found?.caller).toMatchObject({ keyId: id, plan: 'business' });
    }
    await json('revoke', id);
    for (const secret of [first, second]) {
      expect(await tool.find(secret)).toBeUndefined();
    }

    const shown = await json('show', id);
    expect(shown).toMatchObject({ state: 'revoked', today: { requests: 9_312, refused: 41 } });
    expect(shown.audit.map(({ action, by }) => [action, by])).toEqual([
      ['created', 'anna'],
      ['updated', 'Ben B'],
      ['rotated', 'anna'],
      ['revoked', 'anna'],
    ]);
    const { out } = await key(['show', id]);
    expect(out).toContain('plan: pro -> business');
    expect(out).toContain('by Ben B');
    expect(out).not.toContain(first);
    expect(out).not.toContain(second);
  });

  it('ends a leaked secret at once with --overlap 0', async () => {
    const { id, key: leaked } = await create();
    const { key: fresh, secrets } = await json('rotate', id, '--overlap', '0');
    expect(secrets).toHaveLength(1);
    expect(await tool.find(leaked)).toBeUndefined();
    expect(await tool.find(fresh)).toBeDefined();
  });

  it('rotates with an overlap of 24 hours unless told otherwise', async () => {
    const { id } = await create();
    const { secrets } = await json('rotate', id);
    const hours = (Date.parse(secrets[0]?.validUntil ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
  });

  it('changes one number of an enterprise key, and takes them away with the plan', async () => {
    const { id } = await create();
    await json('update', id, '--plan', 'enterprise', '--per-minute', '5', '--per-day', '50');
    expect(await json('update', id, '--per-day', '60')).toMatchObject({
      limits: { perMinute: 5, perDay: 60 },
    });
    expect(await json('update', id, '--plan', 'free')).toMatchObject({
      limits: { perMinute: 60, perDay: 1_000 },
    });
  });

  it('gives a key an expiry and takes it back', async () => {
    const { id } = await create();
    expect((await json('update', id, '--expires', '2031-05-01')).expiresAt).toBe('2031-05-01T00:00:00.000Z');
    expect((await json('update', id, '--expires', 'never')).expiresAt).toBeNull();
  });

  it('lists the keys that need another pepper than the current one, until they are rotated', async () => {
    const [{ id }, revoked] = [await create(), await create()];
    await json('revoke', revoked.id);
    const list = async (environment: Record<string, string>): Promise<string> => {
      const [text, lines] = await Promise.all([
        key(['list'], { environment }),
        key(['list', '--json'], { environment }),
      ]);
      const found = (JSON.parse(lines.out) as KeyObject[]).find((one) => one.id === id);
      return `${String(found?.pepper)}: ${text.out.slice(text.out.indexOf('\nThese') + 1)}`;
    };
    const changed = { API_KEY_PEPPER: 'the next pepper of these tests', API_KEY_PEPPER_PREVIOUS: PEPPER };
    expect(await list({})).not.toContain('These keys');
    const previous = await list(changed);
    expect(previous).toMatch(
      /^previous: These keys need API_KEY_PEPPER_PREVIOUS; rotate them before you remove it:\n/,
    );
    expect(previous).toContain(`  ${id}\n`);
    expect(previous).not.toContain(revoked.id);
    expect(await list({ API_KEY_PEPPER: changed.API_KEY_PEPPER })).toMatch(
      /^unknown: These keys are refused: /,
    );
    await key(['rotate', id, '--overlap', '1h'], { environment: changed });
    expect(await list(changed)).toMatch(/^previous/);
    await key(['rotate', id, '--overlap', '0'], { environment: changed });
    expect(await list(changed)).toMatch(/^current/);
    expect(await list(changed)).not.toContain(`  ${id}\n`);
  });

  it('sees and lifts a ban that the service has written down', async () => {
    const { id } = await create();
    await new PostgresKeyUsageStore(tool.database).add([
      {
        keyId: id as never,
        day: new Date().toISOString().slice(0, 10),
        requests: 400,
        refused: 300,
        lastUsedAt: new Date(),
        bannedUntil: new Date(Date.now() + 290_000),
      },
    ]);
    const listed = async (): Promise<string | undefined> =>
      (await key(['list'])).out.split('\n').find((text) => text.startsWith(id));
    expect(await listed()).toContain('banned 4 min');
    expect((await key(['show', id])).out).toContain(`npm run key -- unban ${id}`);
    expect(await key(['unban', id])).toMatchObject({ exit: 0, err: '' });
    expect(await listed()).toContain('active');
    expect((await json('show', id)).audit.at(-1)).toMatchObject({ action: 'unbanned', by: 'anna' });
  });

  it('see what is hidden in names that were written by SQL, and can change those names', async () => {
    const { id } = await create();
    const session = new PgClient(tool.server.url);
    await session.connect();
    await session.query('update api_keys set name = $2 where id = $1', [id, 'sh\u202Eop\u001B[2K']);
    await session.end();
    for (const command of [['list'], ['show', id]]) {
      const { exit, out } = await key(command);
      expect(exit).toBe(0);
      expect(out).toContain('sh\\u{202e}op\\u{1b}[2K');
      expect(VisibleText.flaw(out.replaceAll('\n', ''))).toBeUndefined();
    }
    const { out } = await key(['show', id, '--json']);
    expect(VisibleText.flaw(out.replaceAll('\n', ''))).toBeUndefined();
    expect((JSON.parse(out) as KeyObject).name).toBe('sh\u202Eop\u001B[2K');
    expect(await json('update', id, '--name', 'shop')).toMatchObject({ name: 'shop' });
    const shown = await key(['show', id]);
    expect(shown.out).toContain('sh\\u{202e}op\\u{1b}[2K -> shop');
    expect(VisibleText.flaw(shown.out.replaceAll('\n', ''))).toBeUndefined();
  });

  it('lists only keys in the state asked for', async () => {
    const { id } = await create();
    await json('revoke', id);
    const listed = async (state: string): Promise<string[]> =>
      ((await json('list', '--state', state)) as unknown as KeyObject[]).map((one) => one.id);
    expect(await listed('revoked')).toContain(id);
    expect(await listed('active')).not.toContain(id);
  });
});
