import { beforeAll, describe, expect, it } from '@jest/globals';
import { PET_SEARCH } from '@petstore/pet-domain';
import { ANY_SECRET_KEY, RequiresAccess } from '@petstore/api-key';
import { EVENT_TYPES } from '@petstore/event-feed';
import { TEST_EVENT_TYPE } from '@petstore/webhook';
import { SETTINGS } from '../../src/configuration/configuration.js';
import { controllerOf, errorOf, registry } from '../support/declared-operations.js';
import { read } from '../deploy/deploy-files.js';
import { type Document, type Operation, readDocument } from '../support/openapi-document.js';
import { serve } from '../support/running-service.js';

const SENTENCES = /^[A-Z].+\.$/s;

/** Where `npm start` listens by default, which the committed document names. */
const LOCAL = `http://${SETTINGS.host.fallback ?? ''}:${SETTINGS.port.fallback ?? ''}`;

const { running, client } = await serve({ PUBLIC_BASE_URL: `${LOCAL}/v1` });
let text: string;
let document: Document;
let operations: Operation[];
let webhooksText: string;
let webhooks: Document;

beforeAll(async () => {
  text = (await client.get('/openapi.json')).text;
  document = readDocument(text);
  operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  webhooksText = (await client.get('/openapi-webhooks.json')).text;
  webhooks = JSON.parse(webhooksText) as Document;
});

const documented = (id: string): Operation | undefined =>
  operations.find(({ operationId }) => operationId === id);

describe('the OpenAPI document', () => {
  it('is the committed one but for its servers; `npm run openapi` writes it anew', () => {
    const withoutServers = (each: string): string => each.replace(/^ {2}"servers": \[[^\]]*\]/m, '');
    expect(withoutServers(text)).toBe(withoutServers(read('docs/openapi.json')));
  });

  it('shows the operations that its picture shows; `node tools/pictures/docs-page.mjs` takes it anew', () => {
    const lines = [
      ...document.tags.map(({ name, description }) => `${name}: ${description}`),
      ...Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { summary }]) => `${method} ${path}: ${summary}`),
      ),
    ];
    expect(`${lines.join('\n')}\n`).toBe(read('docs/pictures/docs-page.txt'));
  });

  it('has nothing but what programs send: generators of clients trip over webhooks beside it', () => {
    expect(Object.keys(document).sort()).toEqual(
      ['components', 'externalDocs', 'info', 'openapi', 'paths', 'servers', 'tags'].sort(),
    );
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    expect(document.info.description).toContain('[openapi-webhooks.json](openapi-webhooks.json)');
  });

  it('has the schemas of the contract, their fields in an order that becomes that of arguments', () => {
    const { schemas } = document.components;
    const fieldsOf = (name: string): string[] => Object.keys(schemas[name]?.properties ?? {});
    expect(fieldsOf('Pet')).toEqual(['id', 'name', 'categoryId', 'status']);
    expect(fieldsOf('NewPet')).toEqual(['name', 'categoryId', 'status']);
    expect(fieldsOf('Error')).toEqual(['code', 'message', 'status']);
    expect(schemas).toMatchObject({
      Pet: { required: ['id', 'name', 'categoryId'] },
      NewPet: { required: ['name', 'categoryId'] },
      Error: { required: ['code', 'message', 'status'], 'x-codes': registry.errors.map(({ code }) => code) },
      PetStatus: { enum: ['available', 'pending', 'sold'] },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
    });
  });

  it('has the parameters of the first document first, and behind them those of later releases', () => {
    const parameters = documented('listPets')?.parameters ?? [];
    expect(parameters.map(({ name, 'x-since': since }) => [name, since])).toEqual([
      ...['limit', 'status', 'cursor', 'If-None-Match'].map((name) => [name, undefined]),
      ...['categoryId', 'ids', 'include', ...Object.keys(PET_SEARCH)].map((name) => [name, '1.0.0']),
    ]);
  });

  it('says of each operation which release it came with, unless the first document has it', () => {
    const specified = operations.filter((operation) => operation['x-since'] === undefined);
    expect(specified.map(({ operationId }) => operationId)).toEqual(['listPets', 'createPet', 'getPet']);
  });

  it('has nothing that generators misread: no defaults or read-only members in bodies, no prefilled tokens', () => {
    const properties = Object.values(document.components.schemas).flatMap((schema) =>
      Object.values(schema.properties ?? {}),
    );
    for (const property of properties)
      for (const keyword of ['default', 'readOnly']) expect(property).not.toHaveProperty(keyword);
    // What is sent once must not be sent twice, and an id in a path must be usable.
    for (const { in: place, schema } of operations.flatMap(({ parameters = [] }) => parameters))
      if (place !== 'query') expect('example' in schema).toBe(place === 'path');
  });

  it('lets a form empty every list of a query again, and begins a change with what harms nobody', () => {
    const lists = operations
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ in: place, schema }) => place === 'query' && 'maxItems' in schema);
    expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(['ids', 'include']));
    for (const { name, required, schema } of lists)
      expect([name, required ?? false, 'minItems' in schema]).toEqual([name, false, false]);
    // What the docs page fills in: nothing ends a secret, an animal's stay or an endpoint, and nothing is taken away.
    const filledIn = operations.flatMap(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).map(({ examples }) => Object.values(examples)[0]?.value),
    );
    expect(filledIn.length).toBeGreaterThan(10);
    expect(
      filledIn.filter((value) => /"overlapHours":0|"sold"|"disabled"|null/.test(JSON.stringify(value))),
    ).toEqual([]);
  });

  it('bounds every int64 digit for digit', () => {
    // Among them id, categoryId and petId.
    expect(text.match(/"maximum": 9223372036854775807,\n/g)?.length).toBeGreaterThan(4);
    expect(text).not.toMatch(/9223372036854775808|9223372036854776000/);
  });

  it('asks for a bearer key that is no JWT, on every operation', () => {
    expect(document.components.securitySchemes).toEqual({
      apiKey: { type: 'http', scheme: 'bearer', description: expect.any(String) },
    });
    for (const { security } of operations) expect(security).toEqual([{ apiKey: [] }]);
  });

  it('marks the deprecated operation with its date and its replacement, and no other', () => {
    expect(operations.filter(({ deprecated }) => deprecated === true)).toEqual([documented('getPet')]);
    expect(documented('getPet')?.description).toMatch(
      /5 December 2030[^]*`GET \/pets` with a `status` filter/,
    );
  });

  it('documents the header fields that the responses carry', async () => {
    const replies = {
      listPets: await client.get('/v1/pets?limit=1'),
      createPet: await client.post('/v1/pets', { name: 'Rex', categoryId: 1 }),
      getPet: await client.get('/v1/pets/0'),
    };
    for (const [id, { status, headers }] of Object.entries(replies)) {
      const names = Object.keys(documented(id)?.responses[status]?.headers ?? {});
      const sent = Object.keys(headers).filter((name) =>
        /^(x-r|ratelimit|location|link|deprecation|sunset|cache-control|etag|vary)/.test(name),
      );
      expect(names.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(sent));
    }
  });

  it('documents what a 415 says of media types and codings', async () => {
    for (const { id, method, path } of registry.operations.filter((each) => each.body)) {
      const target = `/v1${path.replaceAll(/:\w+/g, '1')}`;
      const headers = Object.keys(documented(id)?.responses[415]?.headers ?? {});
      const accepts = headers.filter((name) => name.startsWith('Accept-'));
      const patch = method === 'PATCH' ? ['Accept-Patch'] : [];
      expect([id, ...accepts]).toEqual([id, 'Accept-Encoding', ...patch]);
      const sent = async (field: object): Promise<string[]> => {
        const reply = await client.post(target, '{}', { method, headers: { ...field } });
        expect(reply.status).toBe(415);
        return accepts.filter((name) => name.toLowerCase() in reply.headers);
      };
      expect(await sent({ 'Content-Type': 'text/plain' })).toEqual(patch);
      expect(await sent({ 'Content-Encoding': 'gzip' })).toEqual(accepts);
    }
  });

  it('names, as committed, a local instance and the variables of both environments, which lead there', () => {
    const { servers } = JSON.parse(read('docs/openapi.json')) as Document;
    const local = `${LOCAL}/v1`;
    expect(servers.map(({ url, variables }) => [url, variables])).toEqual([
      [local, undefined],
      ['{base_url}', { base_url: { default: local } }],
      ['{staging_base_url}', { staging_base_url: { default: local } }],
    ]);
  });

  it('lists this instance and the environments that its operator has named, which the docs page may call', async () => {
    const unnamed = await running.another({ PUBLIC_BASE_URL: undefined });
    expect(await (await fetch(`${unnamed.origin}/openapi.json`)).json()).toMatchObject({
      servers: [{ url: '/v1' }],
      externalDocs: { url: '/docs' },
    });
    const { origin } = await running.another({
      PETSTORE_ENVIRONMENT: 'staging',
      PUBLIC_BASE_URL: 'https://staging.pets.example/v1',
      STAGING_BASE_URL: 'https://staging.pets.example/v1',
      PRODUCTION_BASE_URL: 'https://pets.example/v1',
      API_CONTACT: 'help@pets.example',
    });
    const [staging, production] = ['https://staging.pets.example', 'https://pets.example'];
    expect(await (await fetch(`${origin}/openapi.json`)).json()).toMatchObject({
      servers: [
        { url: `${staging}/v1`, description: 'This instance (staging)', 'x-internal': false },
        { url: `${production}/v1`, description: 'Production', 'x-internal': false },
      ],
      externalDocs: { url: `${staging}/docs` },
      info: { contact: { email: 'help@pets.example' } },
    });
    const policy = (await fetch(`${origin}/docs`)).headers.get('content-security-policy');
    expect(policy).toContain(`connect-src 'self' ${staging} ${production};`);
    expect(await (await fetch(`${origin}/openapi-webhooks.json`)).json()).toEqual({
      ...webhooks,
      info: { ...webhooks.info, contact: { email: 'help@pets.example' } },
    });
    const other = await running.another({ API_CONTACT: 'https://pets.example/@help' });
    expect(await (await fetch(`${other.origin}/openapi.json`)).json()).toMatchObject({
      info: { contact: { url: 'https://pets.example/@help' } },
    });
  });
});

describe.each(registry.operations.map((operation) => [operation.id, operation] as const))(
  'the operation %s',
  (id, operation) => {
    it('is documented in sentences, under a tag, with an example of its success and of its body', () => {
      const { tags = [], requestBody } = documented(id) ?? {};
      expect(operation.summary).toMatch(/^[A-Z][^.]+$/);
      expect(operation.description).toMatch(SENTENCES);
      expect(document.tags.filter(({ name }) => tags.includes(name))).toEqual([
        expect.objectContaining({ description: expect.stringMatching(SENTENCES) }),
      ]);
      const { status, schema, example, description: success } = operation.success;
      expect(success).toMatch(SENTENCES);
      expect([schema === undefined, example === undefined]).toEqual([status === 204, status === 204]);
      for (const { examples } of Object.values(requestBody?.content ?? {}))
        expect(Object.keys(examples)).not.toEqual([]);
    });

    it('has the statuses that follow from what it takes', () => {
      const { responses = {}, parameters = [], requestBody } = documented(id) ?? {};
      const takes = (...names: string[]): boolean =>
        parameters.some((parameter) => names.includes(parameter.name) || names.includes(parameter.in));
      const rules: readonly (readonly [status: number, isThere: boolean])[] = [
        [304, operation.method === 'GET'],
        [400, true],
        [401, true],
        [403, true],
        [404, takes('path')],
        // Reads honour If-Match, which the document does not name there.
        [412, takes('If-Match', 'If-None-Match')],
        [413, requestBody !== undefined],
        [414, true],
        [415, requestBody !== undefined],
        [422, takes('Idempotency-Key')],
        ...[429, 431, 500, 503].map((status) => [status, true] as const),
      ];
      // What the state of a resource can forbid is its own.
      const errors = Object.keys(responses).map(Number);
      expect(errors.filter((status) => status >= 300 && ![409, 410].includes(status))).toEqual(
        rules.filter(([, isThere]) => isThere).map(([status]) => status),
      );
      const { examples = {} } = responses[400]?.content?.['application/json'] ?? {};
      // By the contract an id that is none is 404; what is left are header fields of this contract.
      if (id === 'getPet') expect(Object.keys(examples)).toEqual(['invalid_parameter']);
      if (takes('query', 'If-Match', 'If-None-Match', 'Idempotency-Key'))
        expect(examples).toHaveProperty('invalid_parameter');
    });

    it('gives each error the Error schema and an example from the catalogue', () => {
      for (const [status, { content, description }] of Object.entries(documented(id)?.responses ?? {})) {
        if (Number(status) < 400) continue;
        const { schema, examples = {} } = content?.['application/json'] ?? {};
        expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
        for (const code of Object.keys(examples)) {
          const { message, when, status: ofCode } = errorOf(code);
          expect(description).toContain(`\`${code}\`: ${when}`);
          // Made longer by the deprecated operation, which says what to use instead.
          const says = code === 'operation_removed' ? expect.stringContaining(message) : message;
          expect(document.components.examples[code]?.value).toEqual({ code, message: says, status: ofCode });
          expect(ofCode).toBe(Number(status));
        }
      }
    });

    it('asks for a scope, or says that any secret key may, in the guard, and parses its body as documented', () => {
      // What it shows concerns nothing but the key itself.
      if (id === 'getUsage') expect(operation.scope).toBe(ANY_SECRET_KEY);
      else expect(operation.scope).toMatch(/^\w+:\w+$/);
      const { handler, scope, body } = operation;
      expect(Reflect.getMetadata(RequiresAccess.KEY, handler)).toBe(scope);
      const prototype = controllerOf(handler).prototype as object;
      const { name } = handler as () => void;
      const types = Reflect.getMetadata('design:paramtypes', prototype, name) as { name?: string }[];
      expect(types.filter((type) => type.name?.endsWith('Dto'))).toEqual(
        body === undefined ? [] : [body.dto],
      );
    });
  },
);

describe('the OpenAPI document of the webhooks', () => {
  it('is the committed one; `npm run openapi` writes it anew', () => {
    expect(webhooksText).toBe(read('docs/openapi-webhooks.json'));
  });

  it('leads to the other one, and has the same version', () => {
    expect(webhooks).toMatchObject({ openapi: '3.1.0', info: { version: document.info.version } });
    expect(webhooks.info.description).toContain('[openapi.json](openapi.json)');
  });

  it('has every event that webhooks deliver, signed and without a key', () => {
    expect(Object.keys(webhooks.webhooks).sort()).toEqual([...EVENT_TYPES, TEST_EVENT_TYPE].sort());
    for (const [type, { post }] of Object.entries(webhooks.webhooks)) {
      expect(post.security).toEqual([]);
      expect(post.parameters?.map(({ name, required }) => [name, required])).toEqual(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, true]),
      );
      const { value } = post.requestBody?.content['application/json']?.examples[type] ?? {};
      expect(value).toMatchObject({ type });
    }
  });

  it('has the components that its events refer to, as the other one has them, and no more', () => {
    expect(Object.keys(webhooks.components)).toEqual(['schemas']);
    for (const [name, schema] of Object.entries(webhooks.components.schemas)) {
      expect(webhooksText).toContain(`"$ref": "#/components/schemas/${name}"`);
      expect(schema).toEqual(document.components.schemas[name]);
    }
    expect(webhooks.tags.map(({ name }) => name)).toEqual(['Webhooks']);
  });
});
