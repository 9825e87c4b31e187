import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, TEST_EVENT_TYPE } from '@petstore/webhook';
import { committed, unresolvedReferences } from './committed-documents.js';
import { runService, type RunningService } from './running-service.js';

interface DocumentedWebhook {
  operationId: string;
  security: unknown;
  parameters: { name: string; required: boolean }[];
  requestBody: { content: Record<string, { examples: Record<string, { value: object }> }> };
}
interface WebhooksDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  webhooks: Record<string, { post: DocumentedWebhook }>;
  components: { schemas: Record<string, unknown> };
}
interface ApiDocument {
  info: { version: string };
  components: { schemas: Record<string, unknown> };
}

let running: RunningService;
let text: string;
let document: WebhooksDocument;
let api: ApiDocument;

beforeAll(async () => {
  running = await runService();
  const read = async (path: string): Promise<string> => (await fetch(running.service.origin + path)).text();
  text = await read('/openapi-webhooks.json');
  document = JSON.parse(text) as WebhooksDocument;
  api = JSON.parse(await read('/openapi.json')) as ApiDocument;
});
afterAll(() => running.close());

describe('the OpenAPI document of the webhooks', () => {
  it('is the committed one, wherever it is served; `npm run openapi` writes it anew', async () => {
    const committedText = await committed('openapi-webhooks.json');
    expect(text).toBe(committedText);
    const named = await running.another({ PUBLIC_BASE_URL: 'https://pets.example/v1' });
    expect(await (await fetch(`${named.origin}/openapi-webhooks.json`)).text()).toBe(committedText);
  });

  it('leads to the other one, and has the same version', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: api.info.version } });
    expect(document.info.description).toContain('[openapi.json](openapi.json)');
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

  it('has the components that its events refer to, as the other one has them, and no more', () => {
    expect(unresolvedReferences(text)).toEqual([]);
    expect(Object.keys(document.components)).toEqual(['schemas']);
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(text).toContain(`"$ref": "#/components/schemas/${name}"`);
      expect(schema).toEqual(api.components.schemas[name]);
    }
    expect(document.tags.map(({ name }) => name)).toEqual(['Webhooks']);
  });
});
