import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { read } from '../deploy/deploy-files.js';
import type { Document } from './openapi-document.js';

type Schema = Readonly<Record<string, unknown>>;

interface Event {
  /** Absent from what a test has put into the feed itself. */
  readonly type?: string;
}

/** The same schema without room for members that it does not name. */
function closed(schema: unknown, isPart = false): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((each) => closed(each));
  const entries = Object.entries(schema as Schema).map(([name, value]) => [
    name,
    name === 'allOf' ? (value as unknown[]).map((part) => closed(part, true)) : closed(value),
  ]);
  const all = Object.fromEntries(entries) as Schema;
  // Of a schema, and not of a property that is called so.
  const isObject = all['type'] === 'object' && typeof all['properties'] === 'object';
  return isObject && !isPart ? { ...all, unevaluatedProperties: false } : all;
}

/** What checks the events of one type, made when the first one is received. */
const validators = new Map<string, readonly (readonly [document: string, validate: ValidateFunction])[]>();

function validatorsOf(type: string): readonly (readonly [string, ValidateFunction])[] {
  const known = validators.get(type);
  if (known !== undefined) return known;
  const [feed, webhooks] = ['docs/openapi.json', 'docs/openapi-webhooks.json'].map(
    (path) => closed(JSON.parse(read(path))) as Document,
  ) as [Document, Document];
  const validator = (name: string, document: Document, schema: object | undefined) => {
    if (schema === undefined) throw new Error(`${name} has no event ${type}: run npm run openapi.`);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: document.components });
    const local = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    return [name, ajv.compile(JSON.parse(local) as object)] as const;
  };
  const delivered = webhooks.webhooks[type]?.post.requestBody?.content['application/json']?.schema;
  const made = [
    validator('docs/openapi.json', feed, feed.components.schemas['Event']),
    validator('docs/openapi-webhooks.json', webhooks, delivered),
  ];
  validators.set(type, made);
  return made;
}

/** @throws {Error} when an event, as the service gave it, is not what both OpenAPI documents say */
export function requireDocumented(events: readonly Event[]): void {
  for (const event of events)
    for (const [document, validate] of event.type === undefined ? [] : validatorsOf(event.type)) {
      if (validate(event)) continue;
      const found = (validate.errors ?? []).map(
        ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
      throw new Error(
        `${document} does not say what ${JSON.stringify(event)} holds: ${found.join(', ')}. ` +
          'The *.dto.ts of the resource documents its members; npm run openapi writes the document.',
      );
    }
}
