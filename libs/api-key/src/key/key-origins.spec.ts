import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyOrigins } from './key-origins.js';
import { KeyRuleError } from './key.errors.js';

describe('an origin of a key', () => {
  it.each([
    ['https://shelter.example', 'https://shelter.example'],
    ['  https://shelter.example\t', 'https://shelter.example'],
    ['HTTPS://Shelter.Example:443', 'https://shelter.example'],
    ['https://shelter.example:8443', 'https://shelter.example:8443'],
    ['https://tierheim-köln.example', 'https://xn--tierheim-kln-ejb.example'],
    ['https://*.Shelter.example', 'https://*.shelter.example'],
    ['https://*.shelter.example:8443', 'https://*.shelter.example:8443'],
    ['https://*.github.io', 'https://*.github.io'],
    ['https://192.0.2.7', 'https://192.0.2.7'],
    ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
    ['https://intranet', 'https://intranet'],
    ['http://localhost', 'http://localhost'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%j is kept as %s', (text, entry) => {
    expect(KeyOrigins.parse([text]).entries).toEqual([entry]);
  });

  it.each([
    ...['', ' ', '*', 'null', 'shelter.example', 'https://', 'https:shelter.example', '//shelter.example'],
    // More than an origin.
    ...['https://shelter.example/', 'https://shelter.example/animals', 'https://shelter.example?'],
    ...['https://a.example#', 'https://user@shelter.example', 'https://user:secret@shelter.example'],
    ...['https://shelter.example\\x', 'https://shel ter.example', 'https://a.example,https://b.example'],
    // Of another scheme, or http of a host that is not local.
    ...['http://shelter.example', 'http://*.localhost', 'http://localhost.example', 'http://127.0.0.2'],
    ...['ftp://shelter.example', 'chrome-extension://abcdef', 'file://'],
    // Stars of too many hosts, or in another place.
    ...['https://*', 'https://*.example', 'https://*.example.', 'https://*.*.shelter.example'],
    ...['https://*a.shelter.example', 'https://a.*.shelter.example', 'https://shelter.*'],
    ...['https://%2a.shelter.example.org', 'https://*..shelter.example', 'https://*.192.0.2.7'],
    ...['https://*.[::1]', 'https://＊.a.example', 'https://a＊.example.com', 'https://*.＊.a.example'],
    ...['https://shelter.example:', 'https://shelter.example:99999', 'https://shelter.example:8443:1'],
    ...['https://a..example', 'https://[::1'],
  ])('%j is none, and the message names it', (text) => {
    const parse = (): unknown => KeyOrigins.parse(['https://fine.example', text]);
    expect(parse).toThrow(KeyRuleError);
    expect(parse).toThrow(JSON.stringify(text.trim()));
    expect(parse).toThrow('https://*.host[:port]');
  });

  it('is given once, and there are 1 to 20', () => {
    const many = (count: number): string[] =>
      Array.from({ length: count }, (_, at) => `https://s${at}.example`);
    expect(KeyOrigins.parse(many(20)).entries).toHaveLength(20);
    for (const texts of [[], many(21)]) expect(() => KeyOrigins.parse(texts)).toThrow('1 to 20 origins');
    const twice = ['https://shelter.example', 'https://SHELTER.example:443'];
    expect(() => KeyOrigins.parse(twice)).toThrow('https://shelter.example is given twice');
  });
});

describe('a page', () => {
  const origins = KeyOrigins.parse([
    ...['https://shelter.example', 'https://*.shelter.example', 'https://*.dogs.example:8443'],
    'http://localhost:5173',
  ]);

  it.each([
    ...['https://shelter.example', 'https://www.shelter.example', 'https://x--y.shelter.example'],
    ...['https://north.dogs.example:8443', 'http://localhost:5173'],
  ])('of %s may use the key', (origin) => {
    expect(origins.allows(origin)).toBe(true);
  });

  it.each([
    ...['', 'null', '*', 'https://*.shelter.example', 'https://.shelter.example'],
    ...['https://a.b.shelter.example', 'https://evilshelter.example', 'http://shelter.example'],
    ...['https://shelter.example.evil.example', 'http://www.shelter.example', 'https://Shelter.example'],
    ...['https://shelter.example:8443', 'https://www.shelter.example:8443', 'https://dogs.example:8443'],
    ...['https://north.dogs.example', 'https://shelter.example/', 'https://shelter.example '],
    ...['https://evil.example/.shelter.example', 'https://evil.example#.shelter.example'],
    ...['https://a@b.shelter.example', 'https://a:1.shelter.example', 'http://localhost'],
    'https://localhost:5173',
    // Two fields as they arrive, joined; characters of other parts of a URL, and those of no host name.
    ...['https://a, b.shelter.example', 'https://evil.example, x.shelter.example'],
    'https://shelter.example, https://shelter.example',
    ...Array.from('\\?, \t%[]|"<>^`{}~!$&\'()*+;=Aé。', (char) => `https://a${char}b.shelter.example`),
    ...['https://a\nb.shelter.example', 'https://a\u0000.shelter.example', 'https://ａ.shelter.example'],
  ])('of %j may not', (origin) => {
    expect(origins.allows(origin)).toBe(false);
  });

  it('of an origin that is listed exactly may use it, and none that only contains it', () => {
    const label = fc
      .stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
      .filter((text) => !text.startsWith('xn--'));
    const host = fc
      .array(label, { minLength: 2, maxLength: 4 })
      .map((labels) => `https://${labels.join('.')}.example`);
    fc.assert(
      fc.property(host, host, fc.constantFrom('.', ':1', 'x', ' '), (listed, other, more) => {
        const key = KeyOrigins.parse([listed]);
        return (
          key.allows(listed) &&
          key.allows(other) === (other === listed) &&
          !key.allows(listed + more) &&
          !key.allows(more + listed)
        );
      }),
    );
  });
});
