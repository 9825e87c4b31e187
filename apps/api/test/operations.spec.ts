import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { ACCESS_METADATA, ANY_KEY } from '@petstore/api-key';
import { HTTP_ERRORS } from '@petstore/http-server';
import type { HandledOperation } from '../src/operations/operation.js';
import { errorsOf } from '../src/operations/operation-responses.js';
import { controllerOf, registry } from './declared-operations.js';

const read = (path: string): Promise<string> =>
  readFile(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');

interface Documented {
  readonly operationId: string;
  readonly tags?: readonly string[];
}

/** Operations that need no scope: what they show and do concerns nothing but the key itself. */
const FOR_ANY_KEY: ReadonlySet<string> = new Set(['getUsage']);

/** Classes that the parameters of the handler have, as far as their names end so. */
function parameterTypesOf({ handler }: HandledOperation, ending: string): unknown[] {
  const prototype = controllerOf(handler).prototype as object;
  const types = Reflect.getMetadata(
    'design:paramtypes',
    prototype,
    (handler as () => void).name,
  ) as unknown[];
  return types.filter((type) => typeof type === 'function' && type.name.endsWith(ending));
}

describe.each(registry.operations.map((operation) => ({ id: operation.id, operation })))(
  'the operation $id',
  ({ id, operation }) => {
    it('asks for a scope, or says that any key may, in the guard', () => {
      if (FOR_ANY_KEY.has(id)) expect(operation.scope).toBe(ANY_KEY);
      else expect(operation.scope).toMatch(/^\w+:\w+$/);
      expect(Reflect.getMetadata(ACCESS_METADATA, operation.handler)).toBe(operation.scope);
    });

    it('has an example of its success, and of its body', () => {
      const { schema, example, status } = operation.success;
      expect(schema === undefined).toBe(status === 204);
      expect(example === undefined).toBe(status === 204);
      if (operation.body !== undefined) expect(Object.keys(operation.body.examples)).not.toEqual([]);
    });

    it('reads a body if it declares one, as the class that it declares', () => {
      expect(parameterTypesOf(operation, 'Dto')).toEqual(
        operation.body === undefined ? [] : [operation.body.dto],
      );
    });

    it('has invalid_parameter among its errors if it takes a query', () => {
      if (parameterTypesOf(operation, 'Query').length > 0)
        expect(errorsOf(operation)).toContain(HTTP_ERRORS.invalid_parameter);
    });

    it('says in a sentence each what it is and does', () => {
      expect(operation.summary).toMatch(/^[A-Z][^.]+$/);
      expect(operation.description).toMatch(/^[A-Z].+\.$/s);
      expect(operation.success.description).toMatch(/^[A-Z].+\.$/s);
    });

    it('is in the document, under a tag that says what it is for', async () => {
      const document = JSON.parse(await read('openapi.json')) as {
        tags: { name: string; description: string }[];
        paths: Record<string, Record<string, Documented>>;
      };
      const all = Object.values(document.paths).flatMap((item) => Object.values(item));
      const { tags = [] } = all.find(({ operationId }) => operationId === id) ?? {};
      expect(tags).toHaveLength(1);
      expect(document.tags.find(({ name }) => name === tags[0])?.description).toMatch(/\.$/);
    });

    it('has a row in the table of operations, and each of its errors one in the table of errors', async () => {
      const page = await read('contract.md');
      const scope = operation.scope === ANY_KEY ? '\\| any key ' : `\`${operation.scope}\``;
      expect(page).toMatch(new RegExp(`^\\| \`${id}\`.*\\|.*\`${operation.method} .*${scope}`, 'm'));
      for (const { code, status } of errorsOf(operation))
        expect(page).toMatch(new RegExp(`^\\| ${status} +\\| \`${code}\` `, 'm'));
    });
  },
);

describe('the table of errors in the contract', () => {
  it('is the catalogue, row by row', async () => {
    const rows = [...(await read('contract.md')).matchAll(/^\| (\d{3}) +\| `([a-z_]+)` +\| (.*?) +\|$/gm)];
    expect(rows.map(([, status, code, when]) => [Number(status), code, when])).toEqual(
      registry.errors.map(({ code, status, when }) => [status, code, when]),
    );
  });

  it('has messages and conditions in whole sentences', () => {
    for (const { message, when } of registry.errors) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(when).toMatch(/^[A-Z].*\.$/);
    }
  });
});
