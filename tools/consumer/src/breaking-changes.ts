import { isDeepStrictEqual } from 'node:util';
import { entries, list, type Node, node, resolve } from './openapi-nodes.js';
import { SchemaComparison } from './schema-comparison.js';
import { type Direction, labelOf, orderOfParameters, renamed } from './value-changes.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/**
 * Changes from one OpenAPI document to a later one that can break a program written for the first, each one line.
 * Additions that consumers can ignore are none: operations, optional parameters behind all others, members of responses,
 * header fields, error responses, error codes. A difference that has no rule here counts, unless it is for people only.
 */
export function breakingChanges(before: Node, after: Node): string[] {
  return new Comparison(before, after).document();
}

class Comparison extends SchemaComparison {
  document(): string[] {
    const { before, after } = this;
    const schemes = (document: Node): Node =>
      Object.fromEntries(
        entries(node(document['components'])['securitySchemes']).map(([name, scheme]) => [
          name,
          { ...scheme, description: undefined },
        ]),
      );
    return [
      ...entries(before['paths']).flatMap(([path, old]) =>
        this.path(path, old, node(node(after['paths'])[path])),
      ),
      ...(isDeepStrictEqual(schemes(before), schemes(after)) ? [] : ['security schemes: changed']),
      ...entries(before['webhooks']).flatMap(([name, item]) =>
        entries(item).flatMap(([method, old]) =>
          this.webhook(`webhook ${name}`, old, node(node(after['webhooks'])[name])[method]),
        ),
      ),
      ...this.rest('document', before, after, ['info', 'paths', 'components', 'webhooks']),
    ];
  }

  private path(path: string, old: Node, now: Node): string[] {
    const changes = METHODS.flatMap((method) =>
      old[method] === undefined
        ? []
        : this.operation(`${method.toUpperCase()} ${path}`, node(old[method]), now[method]),
    );
    // Nothing of a path matters whose operations are all removed.
    return Object.keys(now).length === 0 ? changes : [...changes, ...this.rest(path, old, now, METHODS)];
  }

  private operation(where: string, old: Node, later: unknown): string[] {
    if (later === undefined) return [`${where}: removed`];
    const now = node(later);
    const [before, after] = [entries(old['responses']), node(now['responses'])];
    return [
      ...renamed(where, old, now),
      ...(isDeepStrictEqual(old['security'], now['security']) ? [] : [`${where}: security changed`]),
      ...this.parameters(where, list(old['parameters']), list(now['parameters']), 'sent'),
      ...orderOfParameters(where, list(old['parameters']), list(now['parameters'])),
      ...this.body(`${where} body`, node(old['requestBody']), node(now['requestBody']), 'sent'),
      ...before.flatMap(([status, response]) => this.response(`${where} ${status}`, response, after[status])),
      ...Object.keys(after)
        .filter((status) => !isError(status) && !before.some(([other]) => other === status))
        .map((status) => `${where} ${status}: is new`),
      ...this.rest(where, old, now, ['operationId', 'security', 'parameters', 'requestBody', 'responses']),
    ];
  }

  /** A request that the service sends. */
  private webhook(where: string, old: Node, later: unknown): string[] {
    if (later === undefined) return [`${where}: removed`];
    const now = node(later);
    return [
      ...renamed(where, old, now),
      ...this.parameters(where, list(old['parameters']), list(now['parameters']), 'received'),
      ...this.body(`${where} body`, node(old['requestBody']), node(now['requestBody']), 'received'),
      ...this.rest(where, old, now, ['operationId', 'parameters', 'requestBody']),
    ];
  }

  private parameters(
    where: string,
    old: readonly Node[],
    now: readonly Node[],
    direction: Direction,
  ): string[] {
    const kept = old.flatMap((parameter) => {
      const label = labelOf(where, parameter);
      const later = now.find((other) => labelOf(where, other) === label);
      if (later === undefined) return [`${label}: removed`];
      const mayBeMissing =
        direction === 'received' && parameter['required'] === true && later['required'] !== true;
      return [
        ...(mayBeMissing ? [`${label}: may be missing`] : []),
        ...this.schema(label, parameter['schema'], later['schema'], direction),
        ...this.rest(label, parameter, later, ['name', 'in', 'required', 'schema']),
      ];
    });
    if (direction === 'received') return kept;
    const wasRequired = old.filter(({ required }) => required === true).map((one) => labelOf(where, one));
    const required = now.filter(({ required }) => required === true).map((one) => labelOf(where, one));
    return [
      ...kept,
      ...required.filter((label) => !wasRequired.includes(label)).map((label) => `${label}: now required`),
    ];
  }

  private body(where: string, old: Node, now: Node, direction: Direction): string[] {
    const isDemanded = direction === 'sent' && now['required'] === true && old['required'] !== true;
    return [
      ...this.content(where, old['content'], now['content'], direction),
      ...(isDemanded ? [`${where}: now required`] : []),
      ...this.rest(where, old, now, ['required', 'content']),
    ];
  }

  private response(where: string, old: Node, later: unknown): string[] {
    // An error that no longer occurs breaks no client.
    if (later === undefined) return isError(where.split(' ').at(-1) ?? '') ? [] : [`${where}: removed`];
    const now = node(later);
    const headers = entries(old['headers']).flatMap(([name, header]) => {
      const current = node(now['headers'])[name];
      if (current === undefined) return [`${where} ${name}: removed`];
      const [one, other] = [resolve(this.before, header), resolve(this.after, node(current))];
      return [
        ...this.schema(`${where} ${name}`, one['schema'], other['schema'], 'received'),
        ...this.rest(`${where} ${name}`, one, other, ['schema']),
      ];
    });
    return [
      ...headers,
      ...this.content(where, old['content'], now['content'], 'received'),
      ...this.rest(where, old, now, ['headers', 'content']),
    ];
  }

  /** Bodies, by media type. A client need not send another type, but may be sent one that it has not asked for. */
  private content(where: string, old: unknown, now: unknown, direction: Direction): string[] {
    const [before, after] = [entries(old), node(now)];
    const added = before.length === 0 || direction === 'sent' ? [] : Object.keys(after);
    return [
      ...before.flatMap(([type, media]) => {
        if (after[type] === undefined) return [`${where}: ${type} removed`];
        const later = node(after[type]);
        return [
          ...this.schema(where, media['schema'], later['schema'], direction),
          ...this.rest(where, media, later, ['schema']),
        ];
      }),
      ...added.filter((type) => !(type in node(old))).map((type) => `${where}: ${type} is new`),
    ];
  }
}

const isError = (status: string): boolean => Number(status) >= 400;
