import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { stringify as losslessStringify } from 'lossless-json';
import {
  errorExamples,
  HEADER_COMPONENTS,
  loadDocumentation,
  type SchemaObject,
} from '@petstore/http-kernel';
import { PageLimit, PetStatus } from '@petstore/pet-domain';
import { VERSION } from '../startup/version.js';
import { SECURITY_SCHEME } from '../operations/operation.decorator.js';

/** Path that every operation stands under; in the document it is part of the servers (specification, section 9). */
const BASE_PATH = '/v1';

const DESCRIPTION = [
  'Programs browse and manage individual animals available for adoption.',
  'Every request needs an API key, sent as `Authorization: Bearer <API_KEY>`. Requests are limited per key in two sliding windows, 60 seconds and 24 hours; every answer says how much is left.',
].join('\n\n');

/** The OpenAPI document of the operations that `app` has, made from their decorators. */
export async function createOpenApiDocument(
  app: INestApplication,
  publicBaseUrl = BASE_PATH,
): Promise<OpenAPIObject> {
  const { DocumentBuilder, SwaggerModule } = await loadDocumentation();
  const configuration = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Pet Store Service')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addSecurity(SECURITY_SCHEME, {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key, as an operator of the service gives it out.',
    })
    .addTag('Pets', 'Animals available for adoption.')
    .build();
  const { paths, components = {}, ...document } = SwaggerModule.createDocument(app, configuration);
  const referenced = openApiJson({ paths } as OpenAPIObject);
  return {
    ...document,
    servers: [{ url: publicBaseUrl, description: 'This instance (local)' }, ...SERVERS].map((server) => ({
      ...server,
      'x-internal': false,
    })),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path.slice(BASE_PATH.length), item]),
    ),
    components: {
      ...components,
      schemas: { ...components.schemas, PetStatus: PET_STATUS, Pets: PETS },
      headers: onlyReferenced('headers', HEADER_COMPONENTS, referenced),
      examples: onlyReferenced('examples', errorExamples(), referenced),
    },
  };
}

/** Where the service is run for consumers (specification, section 9); names that stand for the real ones. */
const SERVERS = [
  { url: 'https://petstore.example/v1', description: 'Production' },
  { url: 'https://staging.petstore.example/v1', description: 'Staging' },
];

function onlyReferenced<Component>(
  kind: string,
  all: Record<string, Component>,
  text: string,
): Record<string, Component> {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );
}

const PET_STATUS: SchemaObject = {
  type: 'string',
  enum: [...PetStatus.ALL],
  description: 'Availability status.',
};

/** A named array: decorators can only make nameless ones. */
const PETS: SchemaObject = {
  type: 'array',
  maxItems: PageLimit.MAX,
  items: { $ref: '#/components/schemas/Pet' },
  description: 'One page of animals, newest first.',
};

/** The document as text, with sorted keys, so that differences read well, and int64 bounds digit for digit. */
export function openApiJson(document: OpenAPIObject): string {
  return `${losslessStringify(sorted(document), undefined, 2) ?? ''}\n`;
}

/** The same as YAML 1.2. */
export async function openApiYaml(document: OpenAPIObject): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(sorted(document), { lineWidth: 110, aliasDuplicateObjects: false });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
