import { type OpenApi, resolveSchema, type Schema } from './openapi-model.js';
import { type Keywords, unjudgedChanges } from './unjudged-changes.js';

/** Which way a value goes: what consumers send may not become narrower, what they get may not become wider. */
export type Direction = 'sent' | 'received';

/** Bounds, and whether a greater one admits more. */
const BOUNDS = [
  ['minimum', false],
  ['minLength', false],
  ['minItems', false],
  ['maximum', true],
  ['maxLength', true],
  ['maxItems', true],
] as const;

/** Keywords that are judged one by one; every other one that differs is a change. */
const JUDGED: ReadonlySet<string> = new Set([
  'type',
  'format',
  'enum',
  'pattern',
  'required',
  'properties',
  'items',
  'default',
  ...BOUNDS.map(([name]) => name),
]);

/** The old document and the new one. */
export interface Versions {
  readonly before: OpenApi;
  readonly after: OpenApi;
}

/** What of a schema changed so that consumers of the old one can break; each change one line. */
export function schemaChanges(
  versions: Versions,
  where: string,
  [old, now]: readonly [Schema, Schema],
  direction: Direction,
): string[] {
  const before = resolveSchema(versions.before, old);
  const after = resolveSchema(versions.after, now);
  if (text(before.type) !== text(after.type))
    return [`${where}: type ${text(before.type)} -> ${text(after.type)}`];
  const changes: string[] = [];
  if (before.format !== after.format) {
    changes.push(`${where}: format ${text(before.format)} -> ${text(after.format)}`);
  }
  changes.push(
    ...enumChanges(where, before, after, direction),
    ...boundChanges(where, before, after, direction),
    ...patternChange(where, before, after, direction),
    ...memberChanges(versions, where, [before, after], direction),
  );
  if (text(before.default) !== text(after.default)) {
    changes.push(`${where}: default ${text(before.default)} -> ${text(after.default)}`);
  }
  changes.push(...itemChanges(versions, where, [before, after], direction));
  for (const code of before['x-codes'] ?? []) {
    if (!after['x-codes']?.includes(code)) changes.push(`${where}: error code ${code} removed`);
  }
  changes.push(
    ...unjudgedChanges(
      [versions.before, versions.after],
      where,
      [before as Keywords, after as Keywords],
      JUDGED,
    ),
  );
  return changes;
}

function itemChanges(
  versions: Versions,
  where: string,
  [{ items: before }, { items: after }]: readonly [Schema, Schema],
  direction: Direction,
): string[] {
  if (before === undefined && after === undefined) return [];
  // Anything may be in an array whose items are not described.
  return schemaChanges(versions, `${where}[]`, [before ?? {}, after ?? {}], direction);
}

function enumChanges(where: string, before: Schema, after: Schema, direction: Direction): string[] {
  if (direction === 'sent') {
    if (after.enum === undefined) return [];
    if (before.enum === undefined) return [`${where}: limited to ${text(after.enum)}`];
    return before.enum
      .filter((value) => !after.enum?.includes(value))
      .map((value) => `${where}: ${text(value)} no longer accepted`);
  }
  if (before.enum === undefined) return [];
  if (after.enum === undefined) return [`${where}: no longer limited to ${text(before.enum)}`];
  return after.enum
    .filter((value) => !before.enum?.includes(value))
    .map((value) => `${where}: ${text(value)} is new`);
}

function boundChanges(where: string, before: Schema, after: Schema, direction: Direction): string[] {
  return BOUNDS.flatMap(([name, greaterIsWider]) => {
    const none = greaterIsWider ? Infinity : -Infinity;
    const [old, now] = [before[name] ?? none, after[name] ?? none];
    if (old === now) return [];
    const wider = now > old === greaterIsWider;
    return wider === (direction === 'received')
      ? [`${where}: ${name} ${text(before[name])} -> ${text(after[name])}`]
      : [];
  });
}

/** Whether one pattern admits more than another cannot be told: only one that comes or goes is judged. */
function patternChange(where: string, before: Schema, after: Schema, direction: Direction): string[] {
  if (before.pattern === after.pattern) return [];
  const harmless = direction === 'sent' ? after.pattern === undefined : before.pattern === undefined;
  return harmless ? [] : [`${where}: pattern changed`];
}

function memberChanges(
  versions: Versions,
  where: string,
  [before, after]: readonly [Schema, Schema],
  direction: Direction,
): string[] {
  const changes: string[] = [];
  for (const [name, old] of Object.entries(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now === undefined) changes.push(`${where}.${name}: removed`);
    else changes.push(...schemaChanges(versions, `${where}.${name}`, [old, now], direction));
  }
  const [old, now] = [before.required ?? [], after.required ?? []];
  if (direction === 'sent') {
    for (const name of now) if (!old.includes(name)) changes.push(`${where}.${name}: now required`);
  } else {
    for (const name of old)
      if (!now.includes(name)) changes.push(`${where}.${name}: no longer always present`);
  }
  return changes;
}

function text(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
