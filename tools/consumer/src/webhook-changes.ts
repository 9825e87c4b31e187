import { contentChanges, OF_SCHEMA_HOLDER, unjudged } from './content-changes.js';
import type { Operation, Parameter, RequestBody } from './openapi-model.js';
import { schemaChanges, type Versions } from './schema-changes.js';

/** Members that are judged one by one; every other one that differs is a change. */
const OF_WEBHOOK: ReadonlySet<string> = new Set(['operationId', 'parameters', 'requestBody']);
const OF_PARAMETER: ReadonlySet<string> = new Set([...OF_SCHEMA_HOLDER, 'name', 'in', 'required']);
const OF_BODY: ReadonlySet<string> = new Set(['required', 'content']);
const NO_BODY: RequestBody = { content: {} };

/**
 * What changed of the requests that the service sends so that a receiver can break: consumers receive them, so that
 * what is sent may have more members, and a request that is new goes to those who have asked for it.
 */
export function webhookChanges(versions: Versions): string[] {
  const { before, after } = versions;
  return Object.entries(before.webhooks ?? {}).flatMap(([name, item]) =>
    Object.entries(item).flatMap(([method, old]) => {
      const where = `webhook ${name}`;
      const now = after.webhooks?.[name]?.[method];
      return now === undefined ? [`${where}: removed`] : requestChanges(versions, where, [old, now]);
    }),
  );
}

function requestChanges(
  versions: Versions,
  where: string,
  [old, now]: readonly [Operation, Operation],
): string[] {
  const [before, after] = [old.requestBody ?? NO_BODY, now.requestBody ?? NO_BODY];
  return [
    ...(old.operationId === now.operationId
      ? []
      : [`${where}: operationId ${old.operationId} -> ${now.operationId}`]),
    ...(old.parameters ?? []).flatMap((field) => fieldChanges(versions, where, field, now.parameters ?? [])),
    ...contentChanges(versions, `${where} body`, [before.content, after.content], 'received'),
    ...unjudged(versions, `${where} body`, [before, after], OF_BODY),
    ...unjudged(versions, where, [old, now], OF_WEBHOOK),
  ];
}

function fieldChanges(
  versions: Versions,
  where: string,
  old: Parameter,
  after: readonly Parameter[],
): string[] {
  const label = `${where} ${old.in} ${old.name}`;
  const now = after.find((other) => other.name === old.name && other.in === old.in);
  if (now === undefined) return [`${label}: removed`];
  return [
    ...(old.required === true && now.required !== true ? [`${label}: may be missing`] : []),
    ...schemaChanges(versions, label, [old.schema, now.schema], 'received'),
    ...unjudged(versions, label, [old, now], OF_PARAMETER),
  ];
}
