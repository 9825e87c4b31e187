import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { cutClient, openClient } from '../src/connection/pg-client.js';
import { Database } from '../src/database/database.js';
import { type Asking, impostor } from './impostor.js';

const SECRET = 'the-secret-of-the-database';
const WITHIN = 2_000;

/** What becomes of a session with an impostor that asks so: how it failed, if it did, and whether it was told. */
async function outcomeOf(
  asking: Asking,
  parameters = '',
  user = `petstore:${SECRET}`,
): Promise<{ readonly failure: string; readonly told: boolean }> {
  const { url, received, close } = await impostor(asking, user);
  const failure = await openClient({ connectionString: url + parameters, connectMs: WITHIN }).then(
    (client) => {
      cutClient(client);
      return 'none';
    },
    (error: unknown) => (error as Error).message,
  );
  // What was written would have arrived by now.
  await new Promise((resolve) => setTimeout(resolve, 20));
  close();
  return { failure, told: received().includes(SECRET) || /\0?p\0.*md5[0-9a-f]{32}/s.test(received()) };
}

describe('an impostor in the place of the server', () => {
  it.each<[Asking, RegExp]>([
    ['password', /^The server asks for the password in clear text.* add require_auth=password to the URL/],
    ['md5', /^The server asks for an MD5 hash of the password.* add require_auth=md5 to the URL/],
    ['nothing', /^The server has not proved that it knows the password.* add require_auth=none to the URL/],
    ['nothing after SASL', /^The server has not proved that it knows the password/],
    ['scram with a guess', /server signature/],
  ])('and asks for %s gets neither the password nor a session', async (asking, message) => {
    expect(await outcomeOf(asking)).toEqual({ failure: expect.stringMatching(message), told: false });
  });

  it.each<[Asking, string]>([
    ['password', '?require_auth=password'],
    ['password', '?require_auth=scram-sha-256,password'],
    ['password', '?require_auth=!md5'],
    ['md5', '?sslmode=disable&require_auth=md5'],
  ])('is told by those whose URL allows it: %s with %s', async (asking, parameters) => {
    expect(await outcomeOf(asking, parameters)).toEqual({ failure: 'none', told: true });
  });

  it.each<[Asking, string]>([
    ['password', '?require_auth=md5'],
    ['password', '?require_auth=none'],
    ['password', '?require_auth=!password'],
    ['password', '?require_auth='],
    ['md5', '?require_auth=password'],
    ['nothing', '?require_auth=password'],
    ['nothing', '?require_auth=!none'],
    ['password', '#?require_auth=password'],
  ])('is refused where another way is allowed: %s with %s', async (asking, parameters) => {
    expect(await outcomeOf(asking, parameters)).toMatchObject({
      told: false,
      failure: expect.stringMatching(/^The server/),
    });
  });

  it('may ask nothing of those who have no password, and may not ask for one', async () => {
    expect(await outcomeOf('nothing', '', 'petstore')).toEqual({ failure: 'none', told: false });
    expect((await outcomeOf('password', '', 'petstore')).failure).toContain('asks for the password');
    expect((await outcomeOf('nothing', `?password=${SECRET}`, 'petstore')).failure).toContain('not proved');
  });

  it.each(['maybe', 'password,!md5', 'password,', 'md5&require_auth=none'])(
    'cannot be met with require_auth=%s, which says nothing',
    async (text) => {
      expect((await outcomeOf('nothing', `?require_auth=${text}`)).failure).toMatch(/^require_auth may /);
    },
  );

  it('gets no session of a database either', async () => {
    const { url, received, close } = await impostor('nothing', `petstore:${SECRET}`);
    await expect(Database.open({ url })).rejects.toThrow('not proved');
    expect(received()).not.toContain(SECRET);
    close();
  });
});

describe('a real server', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server.stop());

  it.each(['', '&require_auth=scram-sha-256', '&require_auth=!password,!md5,!none'])(
    'that proves itself is accepted with "%s"',
    async (parameters) => {
      const client = await openClient({ connectionString: server.url + parameters, connectMs: 20_000 });
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      await client.end();
    },
  );

  it('is not accepted where another way is required', async () => {
    const opening = openClient({ connectionString: `${server.url}&require_auth=none`, connectMs: 20_000 });
    await expect(opening).rejects.toThrow('The server asks for SCRAM-SHA-256, and only none is allowed');
  });
});
