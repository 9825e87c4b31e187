import { isDeepStrictEqual } from 'node:util';
import { entries, expanded, isHarmless, type Node, node, resolve } from './openapi-nodes.js';
import { type Direction, pattern, text, type Values, valuesOf } from './value-changes.js';

/** Bounds, and whether a greater one admits more. */
const BOUNDS = {
  minimum: false,
  minLength: false,
  minItems: false,
  maximum: true,
  maxLength: true,
  maxItems: true,
};

/** Compares schemas of two documents, and members that no rule compares. */
export class SchemaComparison {
  constructor(
    protected readonly before: Node,
    protected readonly after: Node,
  ) {}

  protected schema(where: string, before: unknown, after: unknown, direction: Direction): string[] {
    const [old, now] = [resolve(this.before, node(before)), resolve(this.after, node(after))];
    const differs = (name: string): string[] =>
      text(old[name]) === text(now[name])
        ? []
        : [`${where}: ${name} ${text(old[name])} -> ${text(now[name])}`];
    const type = differs('type');
    if (type.length > 0) return type;
    const codes = (now['x-codes'] ?? []) as readonly unknown[];
    const itemsStated = old['items'] !== undefined || now['items'] !== undefined;
    return [
      ...differs('format'),
      ...differs('default'),
      ...valuesOf(where, old['enum'] as Values, now['enum'] as Values, direction),
      ...Object.entries(BOUNDS).flatMap(([name, greaterIsWider]) => {
        const unbounded = greaterIsWider ? Infinity : -Infinity;
        const [from, to] = [old[name] ?? unbounded, now[name] ?? unbounded] as [number, number];
        const isWider = to > from === greaterIsWider;
        return from !== to && isWider === (direction === 'received') ? differs(name) : [];
      }),
      ...pattern(where, old['pattern'], now['pattern'], direction),
      ...this.members(where, old, now, direction),
      ...(itemsStated ? this.schema(`${where}[]`, old['items'], now['items'], direction) : []),
      ...((old['x-codes'] ?? []) as readonly unknown[])
        .filter((code) => !codes.includes(code))
        .map((code) => `${where}: error code ${String(code)} removed`),
      ...this.rest(where, old, now, [
        ...[
          'type',
          'format',
          'default',
          'enum',
          'pattern',
          'properties',
          'required',
          'items',
          ...Object.keys(BOUNDS),
        ],
      ]),
    ];
  }

  private members(where: string, old: Node, now: Node, direction: Direction): string[] {
    const changes = entries(old['properties']).flatMap(([name, member]) => {
      const later = node(now['properties'])[name];
      return later === undefined
        ? [`${where}.${name}: removed`]
        : this.schema(`${where}.${name}`, member, later, direction);
    });
    const [before, after] = [old['required'] ?? [], now['required'] ?? []] as [string[], string[]];
    const required =
      direction === 'sent'
        ? after.filter((name) => !before.includes(name)).map((name) => `${where}.${name}: now required`)
        : before
            .filter((name) => !after.includes(name))
            .map((name) => `${where}.${name}: no longer always present`);
    return [...changes, ...required];
  }

  /** Members that no rule compares: whether a difference breaks a consumer is unknown, so that it counts. */
  protected rest(where: string, old: Node, now: Node, compared: readonly string[]): string[] {
    return [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .filter((name) => !compared.includes(name) && !isHarmless(name))
      .filter((name) => !isDeepStrictEqual(expanded(this.before, old[name]), expanded(this.after, now[name])))
      .map((name) => `${where}: ${name} changed`);
  }
}
