import type { OpenAPIObject } from '@nestjs/swagger';
import type { OperationRegistry } from '../operations/operation-registry.js';
import { openApiJson } from './openapi-writer.js';

/** An OpenAPI 3.1 document of requests that the service sends: it has `webhooks` and no `paths`. */
export type WebhooksDocument = Omit<OpenAPIObject, 'paths'> & Required<Pick<OpenAPIObject, 'webhooks'>>;

const DESCRIPTION = [
  'The requests that the service sends to the endpoints of webhooks; receivers can be generated from it.',
  'What programs send to the service, such as to add a webhook, is in [openapi.json](openapi.json).',
].join('\n\n');

/**
 * What the service sends, in a document of its own: generators of clients fail on such a section beside `paths`.
 *
 * @param api the document of the operations, whose schemas the events have, too
 */
export function createWebhooksDocument(
  { openapi, info, tags = [], components }: OpenAPIObject,
  { resources }: OperationRegistry,
): WebhooksDocument {
  const webhooks = Object.assign({}, ...resources.map((resource) => resource.webhooks)) as Record<
    string,
    object
  >;
  const names = new Set(resources.filter((resource) => resource.webhooks).map(({ tag }) => tag.name));
  return {
    openapi,
    info: { ...info, title: `${info.title}: webhooks`, description: DESCRIPTION },
    tags: tags.filter(({ name }) => names.has(name)),
    webhooks,
    components: { schemas: referencedSchemas(webhooks, components?.schemas ?? {}) },
  };
}

/** The schemas that a value refers to, directly or through others, in the order of all. */
function referencedSchemas<Schema extends object>(
  value: object,
  all: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const names = new Set<string>();
  const visit = (referring: object): void => {
    for (const [, name = ''] of openApiJson(referring).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(all[name] ?? {});
    }
  };
  visit(value);
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}
