import { describe, expect, it } from '@jest/globals';
import { ANY_SECRET_KEY, KeyPlan } from '@petstore/api-key';
import { EVENT_TYPES } from '@petstore/event-feed';

import { FLAT_FIELDS, PetProfile, type ValueSchema } from '@petstore/pet-domain';
import { PETSTORE_PLANS } from '../../src/access/petstore-plans.js';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import { SETTINGS } from '../../src/configuration/configuration.js';
import { read } from '../deploy/deploy-files.js';
import { registry } from '../support/declared-operations.js';
import { requireDocumented } from '../support/documented-events.js';
import { requireDocumentedResponse } from '../support/documented-responses.js';

const SENTENCES = /^[A-Z].+\.$/s;

describe('the tables of the documents', () => {
  it('docs/contract.md has a row for each operation', () => {
    const rows = read('docs/contract.md').matchAll(
      /^\| `(\w+)`.*?\| `(\w+ \/v1\/.*?)` +\| (?:`(.*?)`|any secret key) /gm,
    );
    expect([...rows].map(([, ...cells]) => cells).sort()).toEqual(
      registry.operations
        .map(({ id, method, path, scope }) => [
          id,
          `${method} /v1${path.replaceAll(/:(\w+)/g, '{$1}')}`,
          scope === ANY_SECRET_KEY ? undefined : scope,
        ])
        .sort(),
    );
  });

  it('docs/guide/errors.md has the catalogue of errors, row by row, in sentences', () => {
    const rows = read('docs/guide/errors.md').matchAll(/^\| (\d{3}) +\| `([a-z_]+)` +\| (.*?) +\|$/gm);
    expect([...rows].map(([, status, code, when]) => [Number(status), code, when])).toEqual(
      registry.errors.map(({ code, status, when }) => [status, code, when]),
    );
    for (const { message, when } of registry.errors)
      for (const sentences of [message, when]) expect(sentences).toMatch(SENTENCES);
  });

  it('docs/operations.md has the settings as the schema has them', () => {
    const cell = (words: string): string => words.replaceAll('|', '\\|');
    const rows = Object.values(SETTINGS).map(({ variable, meaning, allowed, ...rest }) =>
      [`\`${variable}\``, meaning, allowed, 'fallback' in rest ? `\`${rest.fallback}\`` : ''].map(cell),
    );
    const [, table = ''] =
      /<!-- settings -->\n+([\s\S]*?)\n+<!-- \/settings -->/.exec(read('docs/operations.md')) ?? [];
    const written = table.split('\n').slice(2);
    const cellsOf = (line: string): string[] => line.slice(1, -1).split(/(?<!\\)\|/);
    expect(written.map((line) => cellsOf(line).map((words) => words.trim()))).toEqual(rows);
  });

  it('docs/keys.md has a row for each scope, in the order of petstore-scopes.ts', () => {
    const rows = read('docs/keys.md').matchAll(/^\| `(\w+:\w+)` +\|/gm);
    expect([...rows].map(([, scope]) => scope)).toEqual(PETSTORE_SCOPES.all);
  });

  it('the guide has a command for a key with all scopes, and says of each scope what it is for', () => {
    const [, given] = /--scopes \\\n {2}(\S+)/.exec(read('docs/guide/first-call.md')) ?? [];
    expect(given).toBe(PETSTORE_SCOPES.all.join());
    for (const scope of PETSTORE_SCOPES.all)
      expect([scope, read('docs/guide/keys.md')]).toEqual([scope, expect.stringContaining(`\`${scope}\``)]);
  });

  it('docs/guide/limits.md has the plans with their limits', () => {
    const rows = read('docs/guide/limits.md').matchAll(
      /^\| (\w+) +\| ([\d,]+|agreed) +\| ([\d,]+|agreed) +\|$/gm,
    );
    const written = (limit: number | undefined): string => limit?.toLocaleString('en') ?? 'agreed';
    expect([...rows].map(([, name = '', ...limits]) => [name.toLowerCase(), ...limits])).toEqual(
      PETSTORE_PLANS.all.map((name) => {
        const { perMinute, perDay } = PETSTORE_PLANS.limitsOf(new KeyPlan(name)) ?? {};
        return [name, written(perMinute), written(perDay)];
      }),
    );
  });

  it('docs/contract.md has each member of a profile, in the order of pet-profile.ts, with its values and lengths', () => {
    const [, table = ''] =
      /^\| member +\| rule +\|\n([\s\S]*?)\n\nA URL has/m.exec(read('docs/contract.md')) ?? [];
    const rules = new Map<string, string>();
    for (const [, members = '', rule = ''] of table.matchAll(/^\| (`.*?) \| (.*) \|$/gm))
      for (const [, member = ''] of members.matchAll(/`(\w+)`/g))
        rules.set(member, rules.get(/^as `(\w+)`$/.exec(rule)?.[1] ?? '') ?? rule);
    expect([...rules.keys()]).toEqual(PetProfile.MEMBERS);
    for (const member of PetProfile.MEMBERS) {
      const { enum: values = [], maxItems, maxLength }: ValueSchema = PetProfile.FIELDS[member].schema;
      const rule = rules.get(member) ?? '';
      for (const value of values)
        expect([member, rule]).toEqual([member, expect.stringContaining(`\`${value}\``)]);
      const most = maxItems ?? (rule.includes('code points') ? maxLength : undefined);
      if (most === undefined) continue;
      expect([member, rule]).toEqual([member, expect.stringContaining(`1 to ${most.toLocaleString('en')} `)]);
    }
  });

  it('docs/guide/show-animals.md has the values of each member that has fixed ones', () => {
    const guide = read('docs/guide/show-animals.md');
    for (const member of PetProfile.MEMBERS) {
      const { enum: values = [] }: ValueSchema = PetProfile.FIELDS[member].schema;
      const row = `| \`${member}\` | ${values.map((value) => `\`${value}\``).join(', ')} |`;
      if (values.length > 0) expect(guide).toContain(row);
    }
  });

  it('docs/portals.md has a row for each column of the format petstore', () => {
    const [, table = ''] = /^\| column \| cell \|\n([\s\S]*?)\n\n/m.exec(read('docs/portals.md')) ?? [];
    const rows = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, columns = '']) => columns.split(', '));
    const columns = ['name', 'categoryId', 'status', ...FLAT_FIELDS.map(({ name }) => name)];
    expect(rows.sort()).toEqual(columns.map((name) => `\`${name}\``).sort());
  });

  it('CHANGELOG.md names each member of a profile', () => {
    const named = new Set(Array.from(read('CHANGELOG.md').matchAll(/`(\w+)`/g), ([, name]) => name));
    expect(PetProfile.MEMBERS.filter((member) => !named.has(member))).toEqual([]);
  });

  it('docs/contract.md names each type of event, and no other', () => {
    const [, table = ''] = /^(\| type +\| `data`[\s\S]*?)\n\n/m.exec(read('docs/contract.md')) ?? [];
    const types = table.split('\n').flatMap((row) => {
      const [, cell = ''] = row.split('|');
      const named = [...cell.matchAll(/`([a-z_]*\.[a-z_]+)`/g)].map(([, type = '']) => type);
      const [resource] = named[0]?.split('.') ?? [];
      return named.map((type) => (type.startsWith('.') ? `${resource}${type}` : type));
    });
    expect(types.sort()).toEqual(EVENT_TYPES.toSorted());
  });
});

// All tests ask for these two: what they let pass is documented.
it('an event that a test receives is one of the documents', () => {
  const pet = { id: 42, name: 'Rex', categoryId: 7, status: 'sold' };
  const received = (data: object) => (): void => {
    requireDocumented([
      { id: 1, type: 'pet.updated', timestamp: '2026-11-21T19:12:07.123Z', data } as object,
    ]);
  };
  expect(received({ pet, previous: { status: 'available' } })).not.toThrow();
  for (const data of [{ pet }, { pet, previous: { age: 7 } }, { pet: { ...pet, age: 7 }, previous: {} }])
    expect(received(data)).toThrow(/^docs\/openapi.*\.json does not say what/);
});

it('a response that a test receives is one of the document', () => {
  const received = (status: number, code: string) => (): void => {
    const text = JSON.stringify({ code, status, message: 'No.' });
    requireDocumentedResponse('DELETE', '/v1/pets/1?x=1', { status, text });
  };
  expect(received(404, 'pet_not_found')).not.toThrow();
  expect(received(404, 'order_not_found')).toThrow(
    /^docs\/openapi\.json does not say that deletePet responds/,
  );
  expect(received(422, 'pet_not_found')).toThrow(/^docs\/openapi\.json does not say that deletePet responds/);
});
