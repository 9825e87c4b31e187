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

type Validator = readonly [document: string, validate: ValidateFunction];

/** A document whose schemas are closed, and what makes validators of them: what they share is compiled once. */
function validatorsBy(path: string): {
  readonly document: Document;
  readonly validator: (type: string, schema: object | undefined) => Validator;
} {
  const document = closed(JSON.parse(read(path))) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  const validator = (type: string, schema: object | undefined): Validator => {
    if (schema === undefined) throw new Error(`${path} has no event ${type}: run npm run openapi.`);
    const local = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    return [path, ajv.compile(JSON.parse(local) as object)];
  };
  return { document, validator };
}

/** What checks an event, made when the first one of its type is received. */
const validators = new Map<string, readonly Validator[]>();
let documents: { ofFeed: Validator; webhooks: ReturnType<typeof validatorsBy> } | undefined;

function validatorsOf(type: string): readonly Validator[] {
  const known = validators.get(type);
  if (known !== undefined) return known;
  if (documents === undefined) {
    const { document, validator } = validatorsBy('docs/openapi.json');
    const ofFeed = validator(type, document.components.schemas['Event']);
    documents = { ofFeed, webhooks: validatorsBy('docs/openapi-webhooks.json') };
  }
  const { document, validator } = documents.webhooks;
  const delivered = document.webhooks[type]?.post.requestBody?.content['application/json']?.schema;
  const made = [documents.ofFeed, validator(type, delivered)];
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
