import { isDeepStrictEqual } from 'node:util';
import type { Node } from './openapi-nodes.js';

/** What consumers send may not become narrower, what they receive may not become wider. */
export type Direction = 'sent' | 'received';

export type Values = readonly unknown[] | undefined;

export function valuesOf(where: string, old: Values, now: Values, direction: Direction): string[] {
  if (direction === 'sent') {
    if (now === undefined) return [];
    if (old === undefined) return [`${where}: limited to ${text(now)}`];
    return old
      .filter((value) => !now.includes(value))
      .map((value) => `${where}: ${text(value)} no longer accepted`);
  }
  if (old === undefined) return [];
  if (now === undefined) return [`${where}: no longer limited to ${text(old)}`];
  return now.filter((value) => !old.includes(value)).map((value) => `${where}: ${text(value)} is new`);
}

/** Whether one pattern admits more than another is not known: only one that is added or removed may be harmless. */
export function pattern(where: string, old: unknown, now: unknown, direction: Direction): string[] {
  const isHarmlessChange = (direction === 'sent' ? now : old) === undefined;
  return old === now || isHarmlessChange ? [] : [`${where}: pattern changed`];
}

export function renamed(where: string, { operationId: old }: Node, { operationId: now }: Node): string[] {
  return old === now ? [] : [`${where}: operationId ${String(old)} -> ${String(now)}`];
}

/** Generators make positional arguments of parameters: the old ones come first, in their order. */
export function orderOfParameters(where: string, old: readonly Node[], now: readonly Node[]): string[] {
  const [before, after] = [old, now].map((all) => all.map((one) => labelOf(where, one))) as [
    string[],
    string[],
  ];
  const last = after.findLastIndex((label) => before.includes(label));
  const early = after.slice(0, last + 1).filter((label) => !before.includes(label));
  const isSame = isDeepStrictEqual(
    before.filter((label) => after.includes(label)),
    after.filter((label) => before.includes(label)),
  );
  return [
    ...early.map((label) => `${label}: new, and not the last`),
    ...(isSame ? [] : [`${where}: parameters in another order`]),
  ];
}

/** How a parameter is named in a change: `GET /pets query limit`. */
export const labelOf = (where: string, parameter: Node): string =>
  `${where} ${String(parameter['in'])} ${String(parameter['name'])}`;
export const text = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
