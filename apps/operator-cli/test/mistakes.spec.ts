import { describe, expect, it } from '@jest/globals';
import { PETSTORE_PLANS } from '@petstore/api';
import { temporaryFolder } from '@petstore/test-servers';
import { type Program, runHere } from './operator.js';

const ENVIRONMENT = {
  DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x',
  API_KEY_PEPPER: 'the pepper of these tests',
};
const WITH_NAME = ['create', '--name', 'x'];
const FREE = [...WITH_NAME, '--plan', 'free'];
const ENTERPRISE = [...WITH_NAME, '--plan', 'enterprise'];
const KEY = 'key_0000000000000000';
/** One that is there; of what is in it nothing is read. */
const ANY_FILE = ['package.json', '--format', 'csv'];

type Mistake = [program: Program, args: string[], message: RegExp];

const EXPIRIES = [
  ...[
    '',
    '2030',
    '2030-02-29',
    '2030-02-30T00:00:00Z',
    '2030-13-01',
    '2030-01-31T25:00:00Z',
    '2030-01-31T18:00:00',
  ],
  ...['31.01.2030', '1900000000', 'tomorrow', '1.5h'],
];
const OVERLAPS = ['', '7', 'd', '-1d', '1.5h', '1 day', '7D', '1w', '1e3s', '1h30m', '9999999d'];

describe('a mistake exits with 2 and is told', () => {
  it.each<Mistake>([
    ['key', [], /Usage: npm run key/],
    ['key', ['remove'], /unknown command 'remove'/],
    ['key', ['creat'], /Did you mean create/],
    ['key', ['create', '--plan', 'free'], /required option '--name <name>'/],
    ['key', WITH_NAME, /required option '--plan <plan>'/],
    ['key', [...WITH_NAME, '--plan', 'gold'], new RegExp(PETSTORE_PLANS.all.join(', '))],
    ['key', [...WITH_NAME, '--plan', 'Free'], /Allowed choices/],
    ...EXPIRIES.map((when): Mistake => ['key', [...FREE, '--expires', when], /Say a date .* with its zone/]),
    ...OVERLAPS.map((time): Mistake => ['key', ['rotate', KEY, '--overlap', time], /24h, 30m, 7d/]),
    ['key', [...ENTERPRISE, '--per-minute', '0', '--per-day', '1'], /whole number from 1/],
    ['key', [...ENTERPRISE, '--per-minute', '1e3', '--per-day', '1'], /whole number from 1/],
    ['key', [...FREE, 'secret'], /too many arguments/],
    ['key', ['show', '17'], /An id looks like key_/],
    // A key in place of its id is not repeated.
    ['key', ['show', 'pet_test_Ni5T'], /'pet_test_\.\.\.' is invalid/],
    ['key', ['update', KEY, '--by', 'ana'], /say what is to change/],
    ['key', ['revoke'], /missing required argument 'id'/],
    ['key', ['revoke', KEY, '--by', ' '], /Say who does this/],
    ['key', ['revoke', KEY, '--by', 'an\u200bna'], /Say who does this/],
    ['key', ['list', '--al'], /unknown option '--al'/],
    ['events', [], /Usage: npm run events/],
    ['events', ['recont'], /Did you mean recount/],
    ['events', ['status', '--al'], /unknown option '--al'/],
    ['events', ['restart'], /required option '--yes'/],
    ['webhook', [], /Usage: npm run webhook/],
    ['webhook', ['show'], /missing required argument/],
    ['webhook', ['show', 'x'], /An id is a whole number/],
    ['webhook', ['show', '0'], /An id is a whole number/],
    ['webhook', ['disable', '9223372036854775808'], /An id is a whole number/],
    ['webhook', ['list', '--status', 'gone'], /Allowed choices/],
    ['webhook', ['list', '--key', 'x'], /An id looks like key_/],
    ['import', [], /missing required argument 'file'/],
    ['import', ['missing.csv'], /missing\.csv cannot be read: ENOENT\./],
    ['import', ['.', '--format', 'csv'], /is no file/],
    ['import', ['animals.xlsx'], /is not in its name: say --format\./],
    [
      'import',
      ['animals.csv', '--format', 'xml'],
      /Allowed choices are petstore, csv, ndjson, petfinder, rescuegroups, asm3\./,
    ],
    ['import', ['animals.csv', '--token', 'a b'], /A token is 1 to 255 visible ASCII/],
    ['import', ['animals.csv', '--token', ''], /A token is 1 to 255 visible ASCII/],
    ['import', [...ANY_FILE, '--source', 'A B'], /1 to 64 of a-z/],
    ['import', ['animals.csv', '--format', 'adoptapet'], /Allowed choices/],
    ['import', [...ANY_FILE, '--category', 'dog'], /dog=7,cat=8/],
    ['import', [...ANY_FILE, '--category', ''], /At least one value/],
    ['import', [...ANY_FILE, '--category', 'dog=1,DOG=2'], /once in any case/],
    ['import', [...ANY_FILE, '--currency', 'usd'], /capital letters/],
    ['import', [...ANY_FILE, '--source', 'mine', '--token', 't'], /--token names an import without --source/],
    ['import', [...ANY_FILE, '--missing', 'sold'], /--missing needs --source/],
    ['import', ['package.json', '--format', 'petfinder'], /petfinder needs --source/],
    ['export', ['--format', 'petfinder', '--out', ''], /is a folder/],
    ['migrate', ['--dry-run'], /^error: unknown option '--dry-run'\n$/],
    ['migrate', ['status'], /^error: too many arguments[^\n]*\n$/],
  ])('by npm run %s: %j', async (program, args, message) => {
    const { exit, out, err } = await runHere(program, args, ENVIRONMENT);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(message);
  });

  it.each<[Program, string[]]>([
    ['key', ['list']],
    ['migrate', []],
  ])('by npm run %s, when the configuration is wrong', async (program, args) => {
    const wrong = await runHere(program, args, { DATABASE_URL: 'mysql://host/db' });
    expect(wrong).toMatchObject({ exit: 2, out: '' });
    expect(wrong.err).toMatch(/^error: DATABASE_URL is /);
    const { DATABASE_URL } = ENVIRONMENT;
    const without = await runHere(program, args, { DATABASE_URL });
    expect(without).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('API_KEY_PEPPER') });
  });
});

describe('a command on what there is makes no database, and exits with 1', () => {
  it.each<Program>(['events', 'webhook'])('by npm run %s, where there is no database', async (program) => {
    const folder = await temporaryFolder('nothing');
    const command = program === 'events' ? ['restart', '--yes'] : ['list'];
    const { exit, out, err } = await runHere(program, command, { PETSTORE_DATA_DIR: folder.path });
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toMatch(/there is no database in/);
    await folder.remove();
  });
});

describe('control characters of arguments are escaped in messages', () => {
  const EVIL = '\u001b]0;owned\u0007\r\n\u009b2J\u202eerror: x';
  const ESCAPED = '\\u{1b}]0;owned\\u{7}\\u{d}\\u{a}\\u{9b}2J\\u{202e}error: x';

  it.each<[Program, string[]]>([
    ['key', [`--${EVIL}`]],
    ['events', [EVIL]],
    ['events', ['status', `--${EVIL}`]],
    ['key', ['list', '--state', EVIL]],
    ['key', ['list', `--state=${EVIL}`]],
    ['key', [...ENTERPRISE, '--per-minute', EVIL]],
    ['key', ['show', EVIL]],
    ['key', ['revoke', KEY, '--by', EVIL]],
    ['webhook', ['show', EVIL]],
    ['export', ['--format', 'petfinder', '--out', '-', '--names', EVIL]],
    ['import', [`/tmp/${EVIL}.csv`]],
    ['import', [`/tmp/${EVIL}`]],
    ['import', ['animals.csv', '--token', EVIL]],
  ])('by npm run %s: %j', async (program, args) => {
    const { exit, out, err } = await runHere(program, args, ENVIRONMENT);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain(ESCAPED);
    expect(err).not.toMatch(/[^\P{C}\n]/u);
    expect(err).not.toMatch(/^error: x/m);
  });
});

describe('a database that is unavailable exits with 1, and its password is not told', () => {
  it.each<[Program, string, string]>([
    ['key', 'list', 'localhost'],
    ['events', 'recount', '127.0.0.1'],
    ['webhook', 'list', '127.0.0.1'],
  ])('by npm run %s -- %s on %s', async (program, command, host) => {
    const environment = { ...ENVIRONMENT, DATABASE_URL: `postgres://u:secret@${host}:1/x` };
    const { exit, out, err } = await runHere(program, [command], environment);
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toMatch(
      /^error: DATABASE_URL, \S+:1: [^\n]*ECONNREFUSED[^\n]* Nothing responds there: [^\n]+\n$/,
    );
    expect(err).not.toContain('secret');
  });
});

const COMMANDS: readonly (readonly [Program, readonly string[]])[] = [
  ['key', ['create', 'list', 'show', 'update', 'rotate', 'revoke', 'unban']],
  ['events', ['status', 'recount', 'restart']],
  ['webhook', ['list', 'show', 'disable']],
];

describe('help', () => {
  it.each<[Program, readonly string[]]>([
    ...COMMANDS.map(([program, names]): [Program, readonly string[]] => [program, names]),
    ['key', ['300', 'pets:read']],
    ['import', ['--dry-run', '--skip-invalid', 'animals.csv']],
    ['migrate', ['DATABASE_URL']],
  ])('of npm run %s has %j', async (program, words) => {
    const { exit, out, err } = await runHere(program, ['--help'], ENVIRONMENT);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    for (const word of words) expect(out).toContain(word);
  });

  it('is the same by the names of npm', async () => {
    for (const [script, command] of [
      ['key', 'keys'],
      ['webhook', 'webhooks'],
    ] as const)
      expect(await runHere(command, ['--help'])).toEqual(await runHere(script, ['--help']));
  });

  it.each(COMMANDS.flatMap(([program, names]) => names.map((name): [Program, string] => [program, name])))(
    'of npm run %s -- %s has examples',
    async (program, name) => {
      const { exit, out } = await runHere(program, [name, '--help'], ENVIRONMENT);
      expect(exit).toBe(0);
      expect(out).toMatch(/Examples?:\n {2}\$ npm run/);
      expect(out).toContain(`$ npm run ${program} -- ${name}`);
      expect(out).toContain('--json');
    },
  );
});
