import { isDeepStrictEqual } from 'node:util';
import { contentChanges, OF_SCHEMA_HOLDER, unjudged } from './content-changes.js';
import {
  type OpenApi,
  type Operation,
  type Parameter,
  type PathItem,
  type RequestBody,
  resolveHeader,
  type Response,
} from './openapi-model.js';
import { schemaChanges, type Versions } from './schema-changes.js';
import { webhookChanges } from './webhook-changes.js';

/** Members of a path that are operations; others are for all of them. */
const METHODS: ReadonlySet<string> = new Set([
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'],
]);

/** Members that are judged one by one; every other one that differs is a change. */
const OF_DOCUMENT: ReadonlySet<string> = new Set(['info', 'paths', 'components', 'webhooks']);
const OF_OPERATION: ReadonlySet<string> = new Set([
  ...['operationId', 'security', 'parameters', 'requestBody', 'responses'],
]);
const OF_PARAMETER: ReadonlySet<string> = new Set(['name', 'in', 'required', 'schema']);
const OF_BODY: ReadonlySet<string> = new Set(['required', 'content']);
const OF_RESPONSE: ReadonlySet<string> = new Set(['headers', 'content']);

/**
 * What changed from one document to a later one so that a program written for the first can break on the
 * second; each change one line. Additions that consumers can ignore are not among them: operations,
 * optional parameters behind all others, members of responses, header fields, error responses, error codes. What differs and is neither
 * judged nor for people alone is a change.
 */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  const versions = { before, after };
  const changes = Object.entries(before.paths ?? {}).flatMap(([path, item]) =>
    pathChanges(versions, path, [item, after.paths?.[path] ?? {}]),
  );
  if (!isDeepStrictEqual(schemes(before), schemes(after))) changes.push('security schemes: changed');
  return [
    ...changes,
    ...webhookChanges(versions),
    ...unjudged(versions, 'document', [before, after], OF_DOCUMENT),
  ];
}

function pathChanges(versions: Versions, path: string, [old, now]: readonly [PathItem, PathItem]): string[] {
  const changes = Object.entries(old)
    .filter(([method]) => METHODS.has(method))
    .flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const later = now[method];
      return later === undefined ? [`${name}: removed`] : operationChanges(versions, name, operation, later);
    });
  // Nothing of a path matters whose operations are all gone.
  return Object.keys(now).length === 0
    ? changes
    : [...changes, ...unjudged(versions, path, [old, now], METHODS)];
}

/** Without the descriptions, which are for people. */
function schemes({ components }: OpenApi): unknown {
  return Object.fromEntries(
    Object.entries(components.securitySchemes ?? {}).map(([name, scheme]) => [
      name,
      { ...(scheme as object), description: undefined },
    ]),
  );
}

function operationChanges(versions: Versions, name: string, before: Operation, after: Operation): string[] {
  const changes: string[] = [];
  if (before.operationId !== after.operationId) {
    changes.push(`${name}: operationId ${before.operationId} -> ${after.operationId}`);
  }
  if (!isDeepStrictEqual(before.security, after.security)) changes.push(`${name}: security changed`);
  return [
    ...changes,
    ...parameterChanges(versions, name, before.parameters ?? [], after.parameters ?? []),
    ...bodyChanges(versions, name, before, after),
    ...responseChanges(versions, name, before, after),
    ...unjudged(versions, name, [before, after], OF_OPERATION),
  ];
}

function parameterChanges(
  versions: Versions,
  name: string,
  before: readonly Parameter[],
  after: readonly Parameter[],
): string[] {
  const same = (parameter: Parameter) => (other: Parameter) =>
    other.name === parameter.name && other.in === parameter.in;
  const label = (parameter: Parameter): string => `${name} ${parameter.in} ${parameter.name}`;
  const kept = before.flatMap((old) => {
    const now = after.find(same(old));
    if (now === undefined) return [`${label(old)}: removed`];
    return [
      ...schemaChanges(versions, label(old), [old.schema, now.schema], 'sent'),
      ...unjudged(versions, label(old), [old, now], OF_PARAMETER),
    ];
  });
  const demanded = after
    .filter((now) => now.required && !before.find(same(now))?.required)
    .map((now) => `${label(now)}: now required`);
  return [...kept, ...demanded, ...orderChanges(name, before.map(label), after.map(label))];
}

/** Generators make positional arguments of parameters: the old ones come first, in their order. */
function orderChanges(name: string, before: readonly string[], after: readonly string[]): string[] {
  const last = after.findLastIndex((parameter) => before.includes(parameter));
  const early = after.slice(0, last + 1).filter((parameter) => !before.includes(parameter));
  const [old, now] = [
    before.filter((parameter) => after.includes(parameter)),
    after.filter((parameter) => before.includes(parameter)),
  ];
  return [
    ...early.map((parameter) => `${parameter}: new, and not the last`),
    ...(isDeepStrictEqual(old, now) ? [] : [`${name}: parameters in another order`]),
  ];
}

const NO_BODY: RequestBody = { content: {} };

function bodyChanges(versions: Versions, name: string, before: Operation, after: Operation): string[] {
  const where = `${name} body`;
  const [old, now] = [before.requestBody ?? NO_BODY, after.requestBody ?? NO_BODY];
  return [
    ...contentChanges(versions, where, [old.content, now.content], 'sent'),
    ...(now.required === true && old.required !== true ? [`${where}: now required`] : []),
    ...unjudged(versions, where, [old, now], OF_BODY),
  ];
}

function responseChanges(versions: Versions, name: string, before: Operation, after: Operation): string[] {
  const changes = Object.entries(before.responses).flatMap(([status, old]) => {
    const where = `${name} ${status}`;
    const now = after.responses[status];
    // An error that no longer happens harms nobody.
    if (now === undefined) return isError(status) ? [] : [`${where}: removed`];
    return [
      ...headerChanges(versions, where, [old, now]),
      ...contentChanges(versions, where, [old.content, now.content], 'received'),
      ...unjudged(versions, where, [old, now], OF_RESPONSE),
    ];
  });
  for (const status of Object.keys(after.responses)) {
    if (!isError(status) && !(status in before.responses)) changes.push(`${name} ${status}: is new`);
  }
  return changes;
}

function headerChanges(
  versions: Versions,
  where: string,
  [{ headers: old = {} }, { headers: now = {} }]: readonly [Response, Response],
): string[] {
  return Object.entries(old).flatMap(([name, description]) => {
    const current = now[name];
    if (current === undefined) return [`${where} ${name}: removed`];
    const before = resolveHeader(versions.before, description);
    const after = resolveHeader(versions.after, current);
    return [
      ...schemaChanges(versions, `${where} ${name}`, [before.schema ?? {}, after.schema ?? {}], 'received'),
      ...unjudged(versions, `${where} ${name}`, [before, after], OF_SCHEMA_HOLDER),
    ];
  });
}

function isError(status: string): boolean {
  return Number(status) >= 400;
}
