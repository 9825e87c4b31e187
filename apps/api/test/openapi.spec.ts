import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { EVENT_TYPES, TEST_EVENT_TYPE } from '@petstore/webhook';
import { parse as parseYaml } from 'yaml';
import type { Client } from './client.js';
import { committedDocument } from '../src/docs/committed-document.js';
import { errorOf, registry } from './declared-operations.js';
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
interface DocumentedWebhook {
  operationId: string;
  security: unknown;
  parameters: { name: string; required: boolean }[];
  requestBody: { content: Record<string, { examples: Record<string, { value: object }> }> };
}
interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: DocumentedWebhook }>;
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
    expect(committedDocument(text)).toBe(
      await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
    );
  });

  it('is the same as YAML', async () => {
    const yaml = await client.get('/openapi.yaml');
    expect(yaml.headers['content-type']).toMatch(/^application\/yaml/);
    expect(parseYaml(yaml.text)).toEqual(document);
  });

  it('has these operations and no more, with the release of those that the specification does not have', () => {
    expect(
      operations().map(([where, operation]) => [where, operation.operationId, operation['x-since']]),
    ).toEqual([
      ['get /pets', 'listPets', undefined],
      ['post /pets', 'createPet', undefined],
      ['get /pets/{petId}', 'getPet', undefined],
      ['patch /pets/{petId}', 'updatePet', '1.1.0'],
      ['delete /pets/{petId}', 'deletePet', '1.1.0'],
      ['get /categories', 'listCategories', '1.1.0'],
      ['post /categories', 'createCategory', '1.1.0'],
      ['get /categories/{categoryId}', 'getCategory', '1.1.0'],
      ['put /categories/{categoryId}', 'putCategory', '1.1.0'],
      ['delete /categories/{categoryId}', 'deleteCategory', '1.1.0'],
      ['get /store/orders', 'listOrders', '1.1.0'],
      ['post /store/orders', 'placeOrder', '1.1.0'],
      ['get /store/orders/{orderId}', 'getOrder', '1.1.0'],
      ['post /store/orders/{orderId}/cancel', 'cancelOrder', '1.1.0'],
      ['post /store/orders/{orderId}/approve', 'approveOrder', '1.1.0'],
      ['post /store/orders/{orderId}/deliver', 'deliverOrder', '1.1.0'],
      ['post /store/orders/{orderId}/decline', 'declineOrder', '1.1.0'],
      ['post /store/orders/{orderId}/return', 'returnOrder', '1.1.0'],
      ['get /store/inventory', 'getInventory', '1.1.0'],
      ['get /events', 'listEvents', '1.1.0'],
      ['get /usage', 'getUsage', '1.1.0'],
      ['get /webhooks', 'listWebhooks', '1.1.0'],
      ['post /webhooks', 'createWebhook', '1.1.0'],
      ['delete /webhooks/{webhookId}', 'deleteWebhook', '1.1.0'],
      ['get /webhooks/{webhookId}', 'getWebhook', '1.1.0'],
      ['patch /webhooks/{webhookId}', 'updateWebhook', '1.1.0'],
      ['get /webhooks/{webhookId}/deliveries', 'listDeliveries', '1.1.0'],
      ['post /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', 'redeliver', '1.1.0'],
      ['post /webhooks/{webhookId}/recover', 'recoverWebhook', '1.1.0'],
      ['post /webhooks/{webhookId}/rotate-secret', 'rotateWebhookSecret', '1.1.0'],
      ['post /webhooks/{webhookId}/test', 'testWebhook', '1.1.0'],
    ]);
  });

  it('has every event that webhooks deliver, signed and without a key', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_TYPES, TEST_EVENT_TYPE].sort());
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      expect(post.security).toEqual([]);
      expect(post.parameters.map(({ name, required }) => [name, required])).toEqual([
        ['webhook-id', true],
        ['webhook-timestamp', true],
        ['webhook-signature', true],
      ]);
      const { value } = post.requestBody.content['application/json']?.examples[type] ?? { value: {} };
      expect(value).toMatchObject({ type });
    }
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

  it.each([
    ['listPets', [200, 304, 400, 401, 403, 414, 429, 431, 500, 503]],
    ['createPet', [201, 400, 401, 403, 409, 413, 414, 415, 422, 429, 431, 500, 503]],
    ['updatePet', [200, 400, 401, 403, 404, 409, 412, 413, 414, 415, 429, 431, 500, 503]],
    ['deletePet', [204, 400, 401, 403, 404, 409, 412, 414, 429, 431, 500, 503]],
    ['listEvents', [200, 304, 400, 401, 403, 410, 414, 429, 431, 500, 503]],
    ['getUsage', [200, 304, 400, 401, 414, 429, 431, 500, 503]],
    ['getInventory', [200, 304, 400, 401, 403, 414, 429, 431, 500, 503]],
    ['listCategories', [200, 304, 400, 401, 403, 414, 429, 431, 500, 503]],
    ['createCategory', [201, 400, 401, 403, 409, 413, 414, 415, 422, 429, 431, 500, 503]],
    ['getCategory', [200, 304, 400, 401, 403, 404, 414, 429, 431, 500, 503]],
    ['putCategory', [200, 201, 400, 401, 403, 404, 409, 412, 413, 414, 415, 429, 431, 500, 503]],
    ['deleteCategory', [204, 400, 401, 403, 404, 409, 412, 414, 429, 431, 500, 503]],
    ['listOrders', [200, 304, 400, 401, 403, 414, 429, 431, 500, 503]],
    ['placeOrder', [201, 400, 401, 403, 409, 413, 414, 415, 422, 429, 431, 500, 503]],
    ['getOrder', [200, 304, 400, 401, 403, 404, 414, 429, 431, 500, 503]],
    ['cancelOrder', [200, 400, 401, 403, 404, 409, 413, 414, 415, 429, 431, 500, 503]],
    ['approveOrder', [200, 400, 401, 403, 404, 409, 414, 429, 431, 500, 503]],
    ['deliverOrder', [200, 400, 401, 403, 404, 409, 414, 429, 431, 500, 503]],
    ['declineOrder', [200, 400, 401, 403, 404, 409, 413, 414, 415, 429, 431, 500, 503]],
    ['returnOrder', [200, 400, 401, 403, 404, 409, 413, 414, 415, 429, 431, 500, 503]],
    ['listWebhooks', [200, 304, 400, 401, 403, 414, 429, 431, 500, 503]],
    ['createWebhook', [201, 400, 401, 403, 409, 413, 414, 415, 429, 431, 500, 503]],
    ['getWebhook', [200, 304, 400, 401, 403, 404, 414, 429, 431, 500, 503]],
    ['updateWebhook', [200, 400, 401, 403, 404, 409, 412, 413, 414, 415, 429, 431, 500, 503]],
    ['deleteWebhook', [204, 400, 401, 403, 404, 412, 414, 429, 431, 500, 503]],
    ['rotateWebhookSecret', [200, 400, 401, 403, 404, 413, 414, 415, 429, 431, 500, 503]],
    ['testWebhook', [202, 400, 401, 403, 404, 414, 429, 431, 500, 503]],
    ['listDeliveries', [200, 304, 400, 401, 403, 404, 414, 429, 431, 500, 503]],
    ['redeliver', [202, 400, 401, 403, 404, 409, 414, 429, 431, 500, 503]],
    ['recoverWebhook', [202, 400, 401, 403, 404, 409, 410, 413, 414, 415, 429, 431, 500, 503]],
    ['getPet', [200, 304, 401, 403, 404, 410, 414, 429, 431, 500, 503]],
  ])('%s responds with exactly these statuses', (id, statuses) => {
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
    for (const [, pointer = ''] of text.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
      const target = pointer
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      expect({ pointer, found: target !== undefined }).toEqual({ pointer, found: true });
    }
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
