import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentedSettings } from '../src/configuration/configuration.js';
import { committedDocument } from '../src/docs/committed-document.js';
import { runService, type RunningService } from './running-service.js';

interface Parameter {
  name: string;
  in: string;
  'x-since'?: string;
  schema: object;
}
interface Document {
  info: object;
  servers: { url: string; variables?: object }[];
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: { schemas: Record<string, { properties?: Record<string, object> }> };
}

let running: RunningService;
let text: string;
let document: Document;

beforeAll(async () => {
  running = await runService();
  text = await (await fetch(`${running.service.origin}/openapi.json`)).text();
  document = JSON.parse(text) as Document;
});
afterAll(() => running.close());

describe('what generators make of the document', () => {
  it('has the fields in the order of the specification, from which generators make that of arguments', () => {
    const fieldsOf = (name: string): string[] =>
      Object.keys(document.components.schemas[name]?.properties ?? {});
    expect(fieldsOf('Pet')).toEqual(['id', 'name', 'categoryId', 'status']);
    expect(fieldsOf('NewPet')).toEqual(['name', 'categoryId', 'status']);
    expect(fieldsOf('Error')).toEqual(['code', 'message', 'status']);
  });

  it('has the parameters of the specification first, and behind them those of later releases', () => {
    const list = document.paths['/pets']?.['get'];
    expect(list?.parameters?.map(({ name, 'x-since': since }) => [name, since])).toEqual([
      ['limit', undefined],
      ['status', undefined],
      ['cursor', undefined],
      ['If-None-Match', undefined],
      ['categoryId', '1.1.0'],
      ['ids', '1.1.0'],
    ]);
  });

  it('has nothing that generators misread: no defaults or read-only members in bodies, no prefilled tokens', () => {
    for (const schema of Object.values(document.components.schemas)) {
      for (const property of Object.values(schema.properties ?? {})) {
        expect(Object.keys(property)).not.toContain('default');
        expect(Object.keys(property)).not.toContain('readOnly');
      }
    }
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    for (const { parameters = [] } of operations) {
      for (const { in: place, schema } of parameters) {
        // What is sent once must not be sent twice, and an id in a path must be usable.
        if (place !== 'query') expect('example' in schema).toBe(place === 'path');
      }
    }
  });

  it('bounds every int64 digit for digit', () => {
    const bounds = text.match(/"maximum": 9223372036854775807,\n/g) ?? [];
    // Among them id, categoryId and petId.
    expect(bounds.length).toBeGreaterThan(4);
    expect(text).not.toContain('9223372036854775808');
    expect(text).not.toContain('9223372036854776000');
  });
});

describe('the servers of the document', () => {
  it('are, as committed, a local instance and the variables of the specification, which lead there', () => {
    const { servers } = JSON.parse(committedDocument(text)) as Document;
    const { host, port } = documentedSettings();
    const local = `http://${host.fallback ?? ''}:${port.fallback ?? ''}/v1`;
    expect(servers.map(({ url, variables }) => [url, variables])).toEqual([
      [local, undefined],
      ['{base_url}', { base_url: { default: local } }],
      ['{staging_base_url}', { staging_base_url: { default: local } }],
    ]);
  });

  it('lists this instance and the environments that its operator has named, which the docs page may call', async () => {
    const named = await running.another({
      PETSTORE_ENVIRONMENT: 'staging',
      PUBLIC_BASE_URL: 'https://staging.pets.example/v1',
      PRODUCTION_BASE_URL: 'https://pets.example/v1',
      API_CONTACT: 'help@pets.example',
    });
    const served = (await (await fetch(`${named.origin}/openapi.json`)).json()) as Document;
    expect(served.servers).toEqual([
      {
        url: 'https://staging.pets.example/v1',
        description: 'This instance (staging)',
        'x-internal': false,
      },
      { url: 'https://pets.example/v1', description: 'Production', 'x-internal': false },
    ]);
    expect(served.info).toMatchObject({ contact: { email: 'help@pets.example' } });
    const page = await fetch(`${named.origin}/docs`);
    expect(page.headers.get('content-security-policy')).toContain(
      "connect-src 'self' https://staging.pets.example https://pets.example;",
    );
  });
});
