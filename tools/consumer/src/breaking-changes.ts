import {
  type Content,
  type OpenApi,
  type Operation,
  type Parameter,
  resolveHeader,
} from './openapi-model.js';
import { type Direction, schemaChanges, type Versions } from './schema-changes.js';

/**
 * What changed from one document to a later one so that a program written for the first can break on the
 * second; each change one line. Additions that consumers can ignore are not among them: operations,
 * optional parameters, members of responses, header fields, error responses, error codes.
 */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  const versions = { before, after };
  const changes = Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      return now === undefined ? [`${name}: removed`] : operationChanges(versions, name, operation, now);
    }),
  );
  if (JSON.stringify(schemes(before)) !== JSON.stringify(schemes(after)))
    changes.push('security schemes: changed');
  return changes;
}

/** Without the descriptions, which are for people. */
function schemes({ components }: OpenApi): unknown {
  return Object.entries(components.securitySchemes).map(([name, scheme]) => [
    name,
    { ...(scheme as object), description: undefined },
  ]);
}

function operationChanges(versions: Versions, name: string, before: Operation, after: Operation): string[] {
  const changes: string[] = [];
  if (before.operationId !== after.operationId) {
    changes.push(`${name}: operationId ${before.operationId} -> ${after.operationId}`);
  }
  if (JSON.stringify(before.security) !== JSON.stringify(after.security))
    changes.push(`${name}: security changed`);
  return [
    ...changes,
    ...parameterChanges(versions, name, before.parameters ?? [], after.parameters ?? []),
    ...bodyChanges(versions, name, before, after),
    ...responseChanges(versions, name, before, after),
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
    return schemaChanges(versions, label(old), [old.schema, now.schema], 'sent');
  });
  const demanded = after
    .filter((now) => now.required && !before.find(same(now))?.required)
    .map((now) => `${label(now)}: now required`);
  return [...kept, ...demanded];
}

function bodyChanges(versions: Versions, name: string, before: Operation, after: Operation): string[] {
  const where = `${name} body`;
  const changes = contentChanges(
    versions,
    where,
    [before.requestBody?.content, after.requestBody?.content],
    'sent',
  );
  if (after.requestBody?.required && !before.requestBody?.required) changes.push(`${where}: now required`);
  return changes;
}

function responseChanges(versions: Versions, name: string, before: Operation, after: Operation): string[] {
  const changes = Object.entries(before.responses).flatMap(([status, old]) => {
    const where = `${name} ${status}`;
    const now = after.responses[status];
    // An error that no longer happens harms nobody.
    if (now === undefined) return isError(status) ? [] : [`${where}: removed`];
    const headers = Object.entries(old.headers ?? {}).flatMap(([header, description]) => {
      const current = now.headers?.[header];
      if (current === undefined) return [`${where} ${header}: removed`];
      const { schema = {} } = resolveHeader(versions.before, description);
      const { schema: later = {} } = resolveHeader(versions.after, current);
      return schemaChanges(versions, `${where} ${header}`, [schema, later], 'received');
    });
    return [...headers, ...contentChanges(versions, where, [old.content, now.content], 'received')];
  });
  for (const status of Object.keys(after.responses)) {
    if (!isError(status) && !(status in before.responses)) changes.push(`${name} ${status}: is new`);
  }
  return changes;
}

function contentChanges(
  versions: Versions,
  where: string,
  [before = {}, after = {}]: readonly [Content | undefined, Content | undefined],
  direction: Direction,
): string[] {
  return Object.entries(before).flatMap(([type, { schema }]) => {
    const now = after[type];
    return now === undefined
      ? [`${where}: ${type} removed`]
      : schemaChanges(versions, where, [schema, now.schema], direction);
  });
}

function isError(status: string): boolean {
  return Number(status) >= 400;
}
