import { parse } from 'lossless-json';
import { docsBeside, type PlaceInDocument, serverOf } from './instance-description.js';
import { openApiJson } from './openapi-writer.js';

/** Where `npm start` listens by default. */
const LOCAL = 'http://127.0.0.1:3000/v1';

/**
 * What docs/openapi.json says in place of an instance. The first server is for generators that take its URL as it is;
 * the others are the variables of docs/released/openapi-1.0.0.json, whose defaults lead to a local instance, too.
 */
const NOWHERE: PlaceInDocument = {
  externalDocs: docsBeside(LOCAL),
  servers: [
    { url: LOCAL, description: 'A local instance' },
    {
      url: '{base_url}',
      description: 'Production: where it is, ending in /v1, is the value of the variable',
      // A description of the variable itself is refused by a generator's check of the document.
      variables: { base_url: { default: LOCAL } },
    },
    {
      url: '{staging_base_url}',
      description: 'Staging: likewise',
      variables: { staging_base_url: { default: LOCAL } },
    },
  ].map(serverOf),
};

/**
 * The text of docs/openapi.json, which belongs to no instance.
 *
 * @param served the document as an instance without settings of its own serves it, as JSON
 */
export function committedDocument(served: string): string {
  const { externalDocs } = JSON.parse(served) as PlaceInDocument;
  // The pages of the guide are beside the docs page.
  const text = served.replaceAll(`"url": "${externalDocs.url}/`, `"url": "${NOWHERE.externalDocs.url}/`);
  return openApiJson({ ...(parse(text) as object), ...NOWHERE });
}

interface ShownDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
}

interface ShownOperation {
  readonly tags: readonly string[];
  readonly summary: string;
}

/** What the docs page shows of docs/openapi.json when it is opened: a line for each subject and each operation. */
export function shownOperations(document: string): string {
  const { tags, paths } = JSON.parse(document) as ShownDocument;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
  );
  return tags
    .flatMap(({ name, description }) => [
      `${name}: ${description}`,
      ...operations
        .filter((operation) => operation.tags.includes(name))
        .map(({ path, method, summary }) => `  ${method} ${path} ${summary}`),
    ])
    .join('\n')
    .concat('\n');
}
