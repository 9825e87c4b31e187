import { describe, expect, it } from '@jest/globals';
import { read } from '../deploy/deploy-files.js';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders, messageOf } from '../support/contract.js';
import { serveShared } from '../support/running-service.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
const { paths, components } = JSON.parse(read('docs/openapi.json')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The schema itself, of one that refers to it or that may be null. */
function resolved(schema: Schema): Schema {
  const { $ref, oneOf: [first] = [], allOf: [base] = [] } = schema;
  if ($ref !== undefined) return resolved(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  const inner = first ?? base;
  return inner === undefined ? schema : { ...resolved(inner), ...schema };
}

const INT64_MAX = 2n ** 63n - 1n;
const boundsOf = ({ format, minimum = 0, maximum = 0 }: Schema): readonly [bigint, bigint] => [
  BigInt(minimum),
  format === 'int64' ? INT64_MAX : BigInt(maximum),
];
const others = (words: readonly string[]): string[] => [
  ...words.map((word) => word.toUpperCase()),
  ...words.map((word) => ` ${word}`),
  ...['constructor', '__proto__', ''],
];

/** JSON texts that a member may not be. */
function wrongJson(given: Schema): readonly string[] {
  const schema = resolved(given);
  const isNullable = given.oneOf !== undefined;
  return [...(isNullable ? [] : ['null']), ...wrongFor(schema)];
}

function wrongFor(schema: Schema): readonly string[] {
  const json = (...values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value));
  switch (schema.type) {
    case 'string': {
      const { maxLength = 0, minLength = 0 } = schema;
      if (schema.enum !== undefined) return json(1, true, [schema.enum[0]], ...others(schema.enum));
      return [
        ...json(1, true, ['a'], {}, '🐕'.repeat(maxLength + 1), ...(minLength > 0 ? [''] : [])),
        ...(schema.format === 'uri' ? [] : [...json('\0', 'a\u007f'), '"\\ud83d"']),
      ];
    }
    case 'integer': {
      const [least, most] = boundsOf(schema);
      return [...json('1', true, [1], {}), '1.5', '1e400', '1e-1', `${least - 1n}`, `${most + 1n}`];
    }
    case 'number':
      return [
        ...json('1', true, [1]),
        String((schema.minimum ?? 0) - 0.1),
        String((schema.maximum ?? 0) + 0.1),
      ];
    case 'boolean':
      return json('true', 1, 0, [true]);
    case 'array': {
      const [item = 'null'] = wrongJson(schema.items ?? {});
      return [...json('a', {}, 1, []), `[${item}]`, `[${Array(101).fill('"a"').join()}]`];
    }
    default:
      return json('a', 1, [], true);
  }
}

/** Texts of a query that a parameter may not have. */
function wrongTexts(schema: Schema): readonly string[] {
  const { type, enum: words } = resolved(schema);
  if (words !== undefined)
    return [...others(words), words.slice(0, 2).join(',')].filter((each) => !words.includes(each));
  if (type === 'integer') {
    const [least, most] = boundsOf(resolved(schema));
    return ['', '1.0', '1e1', '01', '+1', ' 1', '1 ', '٣', 'x', `${least - 1n}`, `${most + 1n}`];
  }
  if (type === 'boolean') return ['', 'TRUE', '1', 'yes', ' true', 'true,false'];
  if (type === 'array')
    return ['', ',', ',,', ...wrongTexts(schema.items ?? {}).filter((each) => !each.includes(','))];
  const { maxLength = 0 } = resolved(schema);
  return ['', ' \u00a0\u200b', '\0', '\n', '\u007f', 'x'.repeat(maxLength + 1)];
}

/** In a query as they stand here: escapes that are none, and bytes that are no text. */
const MALFORMED = ['%', '%zz', '%ff', '1%C3', '%ED%A0%80'];

const { client } = await serveShared();

const OPERATIONS = Object.entries(paths).flatMap(([template, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    method: method.toUpperCase(),
    template: `/v1${template}`,
    path: `/v1${template.replaceAll(/\{\w+\}/g, '1')}`,
    ...operation,
  })),
);

/** The first form of a body, and its members. */
function bodyOf({ content }: Operation['requestBody'] = { content: {} }) {
  const [[mediaType, media] = ['', undefined]] = Object.entries(content);
  const { properties = {}, required = [] } = resolved(media?.schema ?? {});
  return { mediaType, properties, required };
}

describe('a member of a body', () => {
  it.each(
    OPERATIONS.map(({ requestBody, ...operation }) => ({ ...operation, ...bodyOf(requestBody) })).filter(
      ({ required }) => required.length > 0,
    ),
  )(
    'that is lacking is named, as all of them: $operationId',
    async ({ method, path, mediaType, required }) => {
      const reply = await client.send(path, { method, body: '{}', headers: { 'content-type': mediaType } });
      expect(reply.status).toBe(400);
      for (const name of required) expect(messageOf(reply)).toMatch(new RegExp(`\\b${name} must be `));
    },
  );

  const members = OPERATIONS.flatMap(({ method, path, operationId, requestBody }) => {
    const { mediaType, properties, required } = bodyOf(requestBody);
    return Object.entries(properties).map(([name, schema]) => {
      const rest = required
        .filter((other) => other !== name)
        .map(
          (other) => `${JSON.stringify(other)}:${JSON.stringify(resolved(properties[other] ?? {}).example)},`,
        );
      const bodyWith = (json: string): string => `{${rest.join('')}${JSON.stringify(name)}:${json}}`;
      const headers = { 'content-type': mediaType };
      const send = (json: string): Promise<Reply> =>
        client.send(path, { method, headers, body: bodyWith(json) });
      return { operationId, name, schema, send };
    });
  });

  it.each(members)(
    'is refused by its name when its schema refuses it: $operationId $name',
    async ({ name, schema, send }) => {
      for (const json of wrongJson(schema)) {
        const reply = await send(json);
        expect([json, reply.status, messageOf(reply)]).toEqual([
          json,
          400,
          expect.stringMatching(new RegExp(`^${name}\\b`)),
        ]);
      }
    },
  );

  it.each(members)(
    'is not refused when it is at the ends of what it may be: $operationId $name',
    async ({ schema, send }) => {
      const { type, enum: words, maxLength = 0, example } = resolved(schema);
      const [least, most] = type === 'integer' ? boundsOf(resolved(schema)) : [];
      const isText = type === 'string' && words === undefined && example === undefined;
      const right = [...(words ?? []), ...(isText ? ['x', '🐕'.repeat(maxLength)] : [])].map((each) =>
        JSON.stringify(each),
      );
      for (const json of [...right, least, most, JSON.stringify(example)])
        if (json !== undefined) expect([json, (await send(String(json))).status]).not.toEqual([json, 400]);
    },
  );
});

describe('a query parameter', () => {
  const parameters = OPERATIONS.flatMap(({ path, operationId, parameters: all = [] }) =>
    all
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => ({ path, operationId, name, schema })),
  );

  it.each(parameters)(
    'is refused by its name when its schema refuses it: $operationId $name',
    async ({ path, name, schema }) => {
      const queries = [...wrongTexts(schema).map(encodeURIComponent), ...MALFORMED, `1&${name}=1`];
      for (const query of queries) {
        const reply = await client.get(`${path}?${name}=${query}`);
        expect([query, reply.status, messageOf(reply)]).toEqual([
          query,
          400,
          expect.stringMatching(new RegExp(`\\b${name}\\b`)),
        ]);
      }
    },
  );
});

describe('an id in a path', () => {
  const NONE = (
    '0 -1 +1 01 1.0 1.5 1e3 0x1 abc null 9223372036854775808 99999999999999999999999999 ' +
    '%00 %zz % %C3%28 1%00 1%2F2 %201 1,2 %F0%9F%90%B6 1;v=2'
  ).split(' ');
  const CONDITIONS = [{ 'If-Match': '*' }, { 'If-Match': '"x"' }, { 'If-None-Match': '*' }];

  it.each(OPERATIONS.filter(({ template }) => template.includes('{')))(
    'that nothing can have is 404, whatever the condition: $operationId',
    async ({ method, template, requestBody }) => {
      const { headers } = await client.post('/v1/webhooks', { url: 'https://shop.example/' });
      const [, last = ''] = /^.*\{(\w+)Id\}/.exec(template) ?? [];
      const { mediaType, properties, required } = bodyOf(requestBody);
      const members = required.map((name) => [name, resolved(properties[name] ?? {}).example]);
      const body = JSON.stringify(Object.fromEntries(members));
      const expectNone = async (id: string, conditions = {}): Promise<void> => {
        // The webhook of a delivery is there.
        const path = template.replace(`{${last}Id}`, id).replace(/.*\{\w+\}/, String(headers.location));
        const typed = { 'Content-Type': mediaType, ...conditions };
        const reply = await client.send(
          path,
          requestBody === undefined ? { method, headers: conditions } : { method, headers: typed, body },
        );
        expectError(reply, `${last}_not_found`);
        expectLimitHeaders(reply);
      };
      for (const id of NONE) await expectNone(id);
      for (const conditions of CONDITIONS) await expectNone('0', conditions);
      await client.delete(String(headers.location));
    },
  );
});
