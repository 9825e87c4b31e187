import { describe, expect, it } from '@jest/globals';
import { isAbsolute } from 'node:path';
import { ConfigurationError, readConfiguration, SETTINGS } from './configuration.js';

const PEPPER = 'a-pepper-long-enough';

describe('readConfiguration', () => {
  it('needs nothing', () => {
    expect(readConfiguration({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      opsHost: '127.0.0.1',
      opsPort: undefined,
      traceEndpoint: undefined,
      serviceName: 'petstore',
      databaseUrl: undefined,
      redisUrls: undefined,
      trustedProxies: undefined,
      corsOrigins: undefined,
      logLevel: 'info',
      anonymousPerMinute: 300,
      anonymousPerDay: 10_000,
      docsPerMinute: 300,
      docsPerDay: 10_000,
      bans: true,
      getPetAfterSunset: 'serve',
    });
  });

  it('counts an empty or blank variable as unset', () => {
    expect(readConfiguration({ PORT: '', REDIS_URL: '  ' })).toEqual(readConfiguration({}));
  });

  it('resolves a relative data folder from the project and keeps an absolute one', () => {
    expect(isAbsolute(readConfiguration({}).dataDir)).toBe(true);
    expect(readConfiguration({ PETSTORE_DATA_DIR: '/srv/pets' }).dataDir).toBe('/srv/pets');
  });

  it('takes every well-formed value', () => {
    const read = readConfiguration({
      HOST: '::1',
      PORT: '0',
      DATABASE_URL: 'postgres://u:p@h/db',
      API_KEY_PEPPER: PEPPER,
      API_KEY_PEPPER_PREVIOUS: `${PEPPER}-1, ${PEPPER}-2`,
      REDIS_URL: 'rediss://u:p%2C@a:1, rediss://b:2/0',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1, fe80::/10',
      PUBLIC_BASE_URL: 'https://api.example.com/v1',
      GET_PET_DEPRECATED_SINCE: '2026-01-31',
      GET_PET_AFTER_SUNSET: 'remove',
      CORS_ORIGINS: 'https://shop.example.com, http://localhost:8080',
      BANS: 'off',
    });
    expect(read).toMatchObject({
      port: 0,
      previousApiKeyPeppers: [`${PEPPER}-1`, `${PEPPER}-2`],
      redisUrls: ['rediss://u:p%2C@a:1', 'rediss://b:2/0'],
      trustedProxies: ['10.0.0.0/8', '::1', 'fe80::/10'],
      corsOrigins: ['https://shop.example.com', 'http://localhost:8080'],
      getPetDeprecatedSince: new Date('2026-01-31T00:00:00Z'),
      getPetAfterSunset: 'remove',
      bans: false,
    });
  });

  it('takes every form of an origin that a browser sends', () => {
    const sent = [
      ...['http://localhost', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'https://xn--bcher-kva.example'],
      ...['https://a_b.example', 'https://shop.example.', 'https://shop.example:80', 'http://intranet:65535'],
    ];
    expect(readConfiguration({ CORS_ORIGINS: sent.join() }).corsOrigins).toEqual(sent);
  });

  it('ignores what it does not know, such as the number of processes that hosts set', () => {
    expect(readConfiguration({ WEB_CONCURRENCY: 'auto' })).toEqual(readConfiguration({}));
  });

  it('takes every origin for those that may call from a browser', () => {
    expect(readConfiguration({ CORS_ORIGINS: '*' }).corsOrigins).toBe('*');
  });

  it.each([
    ...['http', '65536', '-1'].map((text) => ['PORT', text]),
    ['OPS_PORT', 'on'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['HOST', 'a b'],
    ...[
      'redis://a,b',
      'redis://a/abc',
      'redis://a/-1',
      'redis://a/1/2',
      'redis://a/%31',
      'redis://a?db=1',
      'redis://a?tls=true',
      'redis://a?sentinels=b',
      'redis://a?family=five',
      'redis://a#1',
      'redis://',
      'REDISS://a',
      'redis+sentinel://a/mymaster',
      'redis://a,rediss://b',
      'redis://a/1,redis://b/1',
    ].map((text) => ['REDIS_URL', text]),
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ...[
      'https://shop.example.com/',
      'shop.example.com',
      'https://a.example,*',
      'null',
      'ftp://a.example',
      ...['https://*.shop.example', 'https://*', 'https://shop.*', 'https://shop.example:*', '*,*'],
      ...['https://shop.example:443', 'https://shop.example:0', 'http://shop.example:80', 'https://'],
      ...['https://Shop.example', 'HTTPS://shop.example', 'https://bücher.example', 'https://127.1'],
      ...['https://.shop.example', 'https://shop..example', `https://${'a'.repeat(64)}.example`],
      ...['https://{shop}.example', 'https://$HOST', 'https://shop.example?', 'https://a@shop.example'],
      ...['https://a.example;https://b.example', 'https://a.example https://b.example', 'https://a.example,'],
    ].map((text) => ['CORS_ORIGINS', text]),
    ...[
      ...['https://api.example.com/', 'api.example.com/v1', 'https://pets.example/?x=/v1'],
      ...['https://pets.example/v1#/v1', 'https://pets.example;x/v1', 'https://pets.example/v2'],
    ].map((text) => ['PUBLIC_BASE_URL', text]),
    ['PRODUCTION_BASE_URL', 'https://pets.example/v2'],
    ['STAGING_BASE_URL', 'ftp://pets.example/v1'],
    ['LOG_LEVEL', 'loud'],
    ['GET_PET_DEPRECATED_SINCE', 'soon'],
    ['GET_PET_AFTER_SUNSET', 'gone'],
    ['ANONYMOUS_PER_MINUTE', '0'],
    ['MAX_CONCURRENT_REQUESTS', '0'],
    ['BANS', 'yes'],
  ])('refuses %s=%s, and says what is allowed', (variable = '', value = '') => {
    const allowed = Object.values(SETTINGS).find((one) => one.variable === variable)?.allowed;
    const message = `${variable} is "${value}"; allowed: ${allowed}.`;
    expect(() => readConfiguration({ [variable]: value })).toThrow(new ConfigurationError(message));
  });

  it('shows no secret of a wrong value', () => {
    expect(() => readConfiguration({ DATABASE_URL: 'mysql://u:hunter2@h/db' })).toThrow(
      /^DATABASE_URL is "mysql:\/\/u:\*\*\*@h\/db"; allowed: /,
    );
    expect(() => readConfiguration({ API_KEY_PEPPER: 'short' })).toThrow(
      'API_KEY_PEPPER is a secret of 5 characters; allowed: at least 16 characters.',
    );
  });

  it.each([
    'postgres://u:p@ss@h/db',
    'postgres://u:pa/ss@h/db',
    'postgres://u:12/ss@h/db',
    'postgres://u:pa#ss@h/db',
    'postgres://u:12?ss@h/db',
    'postgres://u:100%@h/db',
    'postgres://u:%ff@h/db',
    'postgres://h/db?user=u@h',
    // Parameters that would be ignored.
    'postgres://h/db?channel_binding=require',
    'postgres://h/db?require_auth=scram-sha-256',
    'postgres://h/db?sslmode=verify-full&target_session_attrs=primary',
    'postgres://h/db?SSLMODE=disable',
  ])('refuses a database URL that is not taken as it reads: %s', (url) => {
    expect(() => readConfiguration({ DATABASE_URL: url, API_KEY_PEPPER: PEPPER })).toThrow(
      /^DATABASE_URL is "postgres:.*are percent-encoded\.$/,
    );
  });

  it.each(['redis://u:p@ss@a', 'redis://u:%zz@a', 'redis://u:p@a,redis://u:q@b', 'redis://a,redis://:p@b'])(
    'refuses a URL of Redis whose user or password is in doubt, and shows neither: %s',
    (url) => {
      expect(() => readConfiguration({ REDIS_URL: url })).toThrow(/^REDIS_URL is "redis:[^%pq]*"; allowed: /);
    },
  );

  it.each(['redis://a', 'redis://[::1]:6379/15', 'rediss://u@a.b-c_d/', 'redis://:p%2F@1.2.3.4?family=0'])(
    'takes %s',
    (url) => {
      expect(readConfiguration({ REDIS_URL: url }).redisUrls).toEqual([url]);
    },
  );

  it('takes a database URL with an encoded password and parameters', () => {
    const url = 'postgresql://u:p%40ss%2Fw%23@localhost:5432/db?host=%2Frun%2Fpg&sslmode=disable';
    expect(readConfiguration({ DATABASE_URL: url, API_KEY_PEPPER: PEPPER }).databaseUrl).toBe(url);
  });

  it('wants a pepper for a database of its own', () => {
    expect(() => readConfiguration({ DATABASE_URL: 'postgres://h/db' })).toThrow(
      /^API_KEY_PEPPER is not set; allowed: at least 16 characters\. It is required with DATABASE_URL/,
    );
  });

  it('wants a database to be named in production, its own or the embedded one', () => {
    const production = { PETSTORE_ENVIRONMENT: 'production', DATABSE_URL: 'postgres://h/db' };
    expect(() => readConfiguration(production)).toThrow(
      /^DATABASE_URL is not set; it is required where PETSTORE_ENVIRONMENT is production\..*PETSTORE_DATA_DIR/,
    );
    expect(readConfiguration({ ...production, PETSTORE_DATA_DIR: '.data' })).toMatchObject({
      environment: 'production',
    });
  });

  it('reports all mistakes at once, a line each', () => {
    expect(() => readConfiguration({ PORT: 'http', BANS: 'yes', API_KEY_PEPPER: 'short' })).toThrow(
      new ConfigurationError(
        [
          'PORT is "http"; allowed: a whole number from 0 to 65535.',
          'API_KEY_PEPPER is a secret of 5 characters; allowed: at least 16 characters.',
          'BANS is "yes"; allowed: on or off.',
        ].join('\n'),
      ),
    );
  });

  it('has a meaning for every setting, and one setting for a variable', () => {
    const documented = Object.values(SETTINGS);
    for (const { meaning } of documented) expect(meaning).toMatch(/\.$/);
    expect(new Set(documented.map(({ variable }) => variable)).size).toBe(documented.length);
  });
});

describe('what a refusal shows of URLs', () => {
  /** A proxy is an http URL: each of these is refused. */
  const shownOf = (text: string): string => {
    try {
      readConfiguration({ WEBHOOK_PROXY: text });
    } catch (error) {
      return /^WEBHOOK_PROXY is "(.*)"; allowed: /s.exec((error as Error).message)?.[1] ?? '';
    }
    return '';
  };

  it.each([
    ['mysql://u:hunter2@h:1/db?a=b', 'mysql://u:***@h:1/db?a=b'],
    ['postgres://h/db', 'postgres://h/db'],
    ['postgres://[::1]:5432/db', 'postgres://[::1]:5432/db'],
    ['redis://b:q,r@h:2', 'redis://b:***@h:2'],
    ['redis://a:p@h:x,rediss://b:q@h:2', 'redis://a:***@h:***,rediss://b:***@h:2'],
    ['redis://a,b', 'redis://a,b'],
    ['postgres://user:hunter2', 'postgres://user:***'],
    ['postgres://u@h/db?password=hunter2&x=1', 'postgres://u@h/db?password=***&x=1'],
    ['host=h password=hunter2', '***'],
    ['u:hunter2@h/db', '***'],
  ])('of %s shows %s', (text, shown) => {
    expect(shownOf(text)).toBe(shown);
  });

  it('shows no part of a password, whatever is in it', () => {
    const marks = Array.from('@/:?#%&,[]\\\'" .=;');
    const ends = ['h:1/db', 'h:x', '', '/db', 'h/db?a=b@c'];
    for (const first of marks) {
      for (const second of marks) {
        for (const end of ends) {
          const shown = shownOf(`postgres://user:QQQ${first}XXX${second}ZZZ@${end}`);
          expect({ first, second, end, shown }).toMatchObject({
            shown: expect.not.stringMatching(/QQQ|XXX|ZZZ/),
          });
        }
      }
    }
  });
});
