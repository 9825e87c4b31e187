import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import type { Client } from './client.js';
import { committedDocument } from '../src/docs/committed-document.js';
import { committed, unresolvedReferences } from './committed-documents.js';
import { errorOf, registry } from './declared-operations.js';
import { OPERATIONS, STATUSES } from './documented-operations.js';
import { runService, type RunningService } from './running-service.js';

interface DocumentedResponse {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: { $ref: string }; examples: Record<string, { $ref?: string }> }>;
}
interface Operation {
  operationId: string;
  'x-since'?: string;
  deprecated?: boolean;
  description: string;
  security: unknown;
  parameters?: Record<string, unknown>[];
  responses: Record<string, DocumentedResponse>;
}
interface Document {
  openapi: string;
  info: { version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Record<string, unknown>>;
    headers: Record<string, unknown>;
    examples: Record<string, { value: unknown }>;
    securitySchemes: Record<string, unknown>;
  };
}

let running: RunningService;
let client: Client;
let text: string;
let document: Document;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  text = (await client.get('/openapi.json')).text;
  document = JSON.parse(text) as Document;
});
afterAll(() => running.close());

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );

describe('the OpenAPI document', () => {
  it('is the committed one but for its place; `npm run openapi` writes it anew', async () => {
    expect(committedDocument(text)).toBe(await committed('openapi.json'));
  });

  it('has nothing but what programs send: generators of clients trip over webhooks beside it', () => {
    expect(Object.keys(document).sort()).toEqual(
      ['components', 'externalDocs', 'info', 'openapi', 'paths', 'servers', 'tags'].sort(),
    );
    expect(document.info.description).toContain('[openapi-webhooks.json](openapi-webhooks.json)');
  });

  it('is the same as YAML', async () => {
    const yaml = await client.get('/openapi.yaml');
    expect(yaml.headers['content-type']).toMatch(/^application\/yaml/);
    expect(parseYaml(yaml.text)).toEqual(document);
  });

  it('has these operations and no more, with the release of those that the specification does not have', () => {
    expect(
      operations().map(([where, operation]) => [where, operation.operationId, operation['x-since']]),
    ).toEqual(OPERATIONS);
  });

  it('has the schemas of the specification', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Error', 'NewPet', 'Pet', 'PetStatus', 'Pets']),
    );
    expect(document.components.schemas['Error']).toMatchObject({ required: ['code', 'message', 'status'] });
    expect(document.components.schemas['NewPet']).toMatchObject({ required: ['name', 'categoryId'] });
    expect(document.components.schemas['Pet']).toMatchObject({ required: ['id', 'name', 'categoryId'] });
    expect(document.components.schemas['PetStatus']).toMatchObject({
      enum: ['available', 'pending', 'sold'],
    });
    expect(document.components.schemas['Pets']).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/Pet' },
    });
  });

  it('says the version of the contract and where the service is, always under /v1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.0.0');
    expect(document.servers.map(({ url }) => url)).toEqual(['/v1']);
  });

  it('asks for a bearer key that is no JWT, on every operation', () => {
    expect(document.components.securitySchemes).toEqual({
      apiKey: { type: 'http', scheme: 'bearer', description: expect.any(String) },
    });
    for (const [, { security }] of operations()) expect(security).toEqual([{ apiKey: [] }]);
  });

  it('marks the deprecated operation with its date and its replacement, and no other', () => {
    for (const [, { operationId, deprecated, description }] of operations()) {
      expect(deprecated).toBe(operationId === 'getPet' ? true : undefined);
      if (operationId !== 'getPet') continue;
      expect(description).toContain('5 December 2030');
      expect(description).toContain('`GET /pets` with a `status` filter');
    }
  });

  it.each(STATUSES)('%s responds with exactly these statuses', (id, statuses) => {
    const [, operation] = operations().find(([, { operationId }]) => operationId === id) ?? [];
    expect(Object.keys(operation?.responses ?? {}).map(Number)).toEqual(statuses);
  });

  it('gives every error the Error schema and an example from the catalogue', () => {
    for (const [, { responses }] of operations()) {
      for (const [status, { content, description }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const { schema, examples } = content?.['application/json'] ?? { schema: undefined, examples: {} };
        expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
        for (const code of Object.keys(examples)) {
          const { message, when, status: ofCode } = errorOf(code);
          expect(ofCode).toBe(Number(status));
          expect(description).toContain(`\`${code}\`: ${when}`);
          expect(document.components.examples[code]?.value).toEqual({
            code,
            // Made longer by the deprecated operation, which says what to use instead.
            message: code === 'operation_removed' ? expect.stringContaining(message) : message,
            status: Number(status),
          });
        }
      }
    }
  });

  it('lists every code of the catalogue', () => {
    expect(document.components.schemas['Error']?.['x-codes']).toEqual(
      registry.errors.map(({ code }) => code),
    );
  });

  it('resolves every reference', () => {
    expect(unresolvedReferences(text)).toEqual([]);
  });

  it('documents the header fields that the responses carry', async () => {
    const replies = {
      listPets: await client.get('/v1/pets?limit=1'),
      createPet: await client.post('/v1/pets', { name: 'Rex', categoryId: 1 }),
      getPet: await client.get('/v1/pets/0'),
    };
    for (const [id, reply] of Object.entries(replies)) {
      const [, operation] = operations().find(([, { operationId }]) => operationId === id) ?? [];
      const documented = Object.keys(operation?.responses[reply.status]?.headers ?? {}).map((name) =>
        name.toLowerCase(),
      );
      const sent = Object.keys(reply.headers).filter((name) =>
        /^(x-r|ratelimit|location|link|deprecation|sunset|cache-control|etag|vary)/.test(name),
      );
      expect(documented).toEqual(expect.arrayContaining(sent));
    }
  });
});
