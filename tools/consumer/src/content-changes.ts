import type { Content } from './openapi-model.js';
import { type Direction, schemaChanges, type Versions } from './schema-changes.js';
import { type Keywords, unjudgedChanges } from './unjudged-changes.js';

/** Members of what has a schema that are judged one by one. */
export const OF_SCHEMA_HOLDER: ReadonlySet<string> = new Set(['schema']);

/** What differs between two objects and is judged by nobody. @param judged members that somebody compares */
export function unjudged(
  { before, after }: Versions,
  where: string,
  [old, now]: readonly [object, object],
  judged: ReadonlySet<string>,
): string[] {
  return unjudgedChanges([before, after], where, [old as Keywords, now as Keywords], judged);
}

/** What changed of bodies, by media type. */
export function contentChanges(
  versions: Versions,
  where: string,
  [before = {}, after = {}]: readonly [Content | undefined, Content | undefined],
  direction: Direction,
): string[] {
  const changes = Object.entries(before).flatMap(([type, old]) => {
    const now = after[type];
    if (now === undefined) return [`${where}: ${type} removed`];
    return [
      ...schemaChanges(versions, where, [old.schema, now.schema], direction),
      ...unjudged(versions, where, [old, now], OF_SCHEMA_HOLDER),
    ];
  });
  // What a client is sent without having asked for it; a body of another type it need not send.
  const added =
    Object.keys(before).length === 0 ? [] : Object.keys(after).filter((type) => !(type in before));
  return direction === 'sent' ? changes : [...changes, ...added.map((type) => `${where}: ${type} is new`)];
}
