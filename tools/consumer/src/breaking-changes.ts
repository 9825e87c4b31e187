import { isDeepStrictEqual } from 'node:util';
import { expandedDocument, type Node, node } from './expanded-document.js';

/** What consumers send may not become narrower, what they receive may not become wider. */
type Direction = 'sent' | 'received';

/** The breaking changes of a part of the document from one value to a later one; `undefined` where there is none. */
type Rule = (where: string, old: unknown, now: unknown, direction: Direction) => string[];

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** Bounds of schemas. */
const [LEAST, MOST] = [
  ['minimum', 'minLength', 'minItems'],
  ['maximum', 'maxLength', 'maxItems'],
];

/**
 * Changes from one OpenAPI document to a later one that can break a program written for the first, each one line.
 * Additions that consumers can ignore are none: operations, optional parameters behind all others, members of responses,
 * header fields, error responses, error codes. A difference that has no rule here counts, unless it is for people only.
 */
export function breakingChanges(before: Node, after: Node): string[] {
  return compareDocument('document', expandedDocument(before), expandedDocument(after), 'sent');
}

/** Compares objects member by member: one without a rule must stay as it is, because what it means is unknown. */
function members(rules: Readonly<Record<string, Rule>>): Rule {
  return (where, old, now, direction) => {
    const [before, after] = [node(old), node(now)];
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => {
      const rule = rules[name] ?? same(`${where}: ${name} changed`);
      return rule(where, before[name], after[name], direction);
    });
  };
}

/** Compares what has names of its own: nothing may be removed. */
function named(rule: Rule, label: (where: string, name: string) => string): Rule {
  return (where, old, now, direction) =>
    Object.entries(node(old)).flatMap(([name, one]) => {
      const later = node(now)[name];
      const here = label(where, name);
      return later === undefined ? [`${here}: removed`] : rule(here, one, later, direction);
    });
}

const same =
  (change: string): Rule =>
  (_, old, now) =>
    isDeepStrictEqual(old, now) ? [] : [change];

/** A value that is shown when it has changed. */
const shown =
  (name: string): Rule =>
  (where, old, now) =>
    text(old) === text(now) ? [] : [`${where}: ${name} ${text(old)} -> ${text(now)}`];

const ignored: Rule = () => [];

const bound =
  (name: string, unbounded: number): Rule =>
  (where, old, now, direction) => {
    const [from, to] = [old ?? unbounded, now ?? unbounded] as [number, number];
    const isWider = to > from === unbounded > 0;
    return isWider === (direction === 'received') ? shown(name)(where, old, now, direction) : [];
  };

const compareEnum: Rule = (where, old, now, direction) => {
  const [before, after] = [old, now] as [unknown[] | undefined, unknown[] | undefined];
  const added = after?.filter((value) => before?.includes(value) === false) ?? [];
  const removed = before?.filter((value) => after?.includes(value) === false) ?? [];
  if (direction === 'sent') {
    if (before === undefined) return [`${where}: limited to ${text(after)}`];
    return removed.map((value) => `${where}: ${text(value)} no longer accepted`);
  }
  if (after === undefined) return [`${where}: no longer limited to ${text(before)}`];
  return added.map((value) => `${where}: ${text(value)} is new`);
};

/** Whether one pattern admits more than another is not known: only one that is added or removed may be harmless. */
const comparePattern: Rule = (where, old, now, direction) => {
  const isHarmless = (direction === 'sent' ? now : old) === undefined;
  return old === now || isHarmless ? [] : [`${where}: pattern changed`];
};

/** The names of properties that are always present. */
const compareRequired: Rule = (where, old = [], now = [], direction) => {
  const [before, after] = [old, now] as [string[], string[]];
  return direction === 'sent'
    ? after.filter((name) => !before.includes(name)).map((name) => `${where}.${name}: now required`)
    : before
        .filter((name) => !after.includes(name))
        .map((name) => `${where}.${name}: no longer always present`);
};

const compareCodes: Rule = (where, old = [], now = []) =>
  (old as string[])
    .filter((code) => !(now as string[]).includes(code))
    .map((code) => `${where}: error code ${code} removed`);

const compareSchema: Rule = (where, old, now, direction) => {
  const type = shown('type')(where, node(old)['type'], node(now)['type'], direction);
  return type.length > 0 ? type : compareKeywords(where, old, now, direction);
};

const compareKeywords = members({
  type: ignored,
  format: shown('format'),
  default: shown('default'),
  enum: compareEnum,
  ...Object.fromEntries(LEAST.map((name) => [name, bound(name, -Infinity)])),
  ...Object.fromEntries(MOST.map((name) => [name, bound(name, Infinity)])),
  pattern: comparePattern,
  properties: named(compareSchema, (where, name) => `${where}.${name}`),
  required: compareRequired,
  items: (where, ...values) => compareSchema(`${where}[]`, ...values),
  'x-codes': compareCodes,
});

const withSchema = members({ schema: compareSchema });

/** Bodies, by media type. A client need not send another type, but may be sent one that it has not asked for. */
const compareContent: Rule = (where, old, now, direction) => {
  const [before, after] = [node(old), node(now)];
  const isReplaced = direction === 'received' && Object.keys(before).length > 0;
  const added = isReplaced ? Object.keys(after).filter((type) => !(type in before)) : [];
  return [
    ...Object.entries(before).flatMap(([type, media]) =>
      type in after ? withSchema(where, media, after[type], direction) : [`${where}: ${type} removed`],
    ),
    ...added.map((type) => `${where}: ${type} is new`),
  ];
};

const compareBody = members({
  required: (where, old, now, direction) =>
    direction === 'sent' && now === true && old !== true ? [`${where}: now required`] : [],
  content: compareContent,
});

const compareParameter = members({
  name: ignored,
  in: ignored,
  required: (where, old, now, direction) => {
    if (direction === 'sent') return now === true && old !== true ? [`${where}: now required`] : [];
    return old === true && now !== true ? [`${where}: may be missing`] : [];
  },
  schema: compareSchema,
});

/** Generators make positional arguments of parameters: the old ones come first, in their order. */
const compareParameters: Rule = (where, old = [], now = [], direction) => {
  const byLabel = (parameters: unknown): Record<string, Node> =>
    Object.fromEntries((parameters as Node[]).map((one) => [labelOf(where, one), one]));
  const [before, after] = [byLabel(old), byLabel(now)];
  const kept = named(compareParameter, (_, label) => label)(where, before, after, direction);
  if (direction === 'received') return kept;
  const labels = Object.keys(after);
  const isNew = (label: string): boolean => !(label in before);
  const last = labels.findLastIndex((label) => !isNew(label));
  const isSameOrder = isDeepStrictEqual(
    Object.keys(before).filter((label) => label in after),
    labels.filter((label) => !isNew(label)),
  );
  return [
    ...kept,
    ...labels
      .filter((label) => isNew(label) && after[label]?.['required'] === true)
      .map((label) => `${label}: now required`),
    ...labels
      .slice(0, last + 1)
      .filter(isNew)
      .map((label) => `${label}: new, and not the last`),
    ...(isSameOrder ? [] : [`${where}: parameters in another order`]),
  ];
};

const compareResponse = members({
  headers: named(withSchema, (where, name) => `${where} ${name}`),
  content: compareContent,
});

/** An error that no longer occurs breaks no client, and a new one is one that it has to expect. */
const compareResponses: Rule = (where, old, now) => {
  const withoutErrors = Object.keys(node(now)).filter((status) => Number(status) < 400);
  const expected = Object.entries(node(old)).filter(
    ([status]) => Number(status) < 400 || status in node(now),
  );
  const compare = named(compareResponse, (_, status) => `${where} ${status}`);
  return [
    ...compare(where, Object.fromEntries(expected), now, 'received'),
    ...withoutErrors.filter((status) => !(status in node(old))).map((status) => `${where} ${status}: is new`),
  ];
};

const REQUEST = {
  operationId: (where, old, now) =>
    old === now ? [] : [`${where}: operationId ${String(old)} -> ${String(now)}`],
  parameters: compareParameters,
  requestBody: (where, ...values) => compareBody(`${where} body`, ...values),
} satisfies Record<string, Rule>;

const compareOperation = members({ ...REQUEST, responses: compareResponses });
/** A request that the service sends: what consumers return is not theirs to receive. */
const compareWebhook = members(REQUEST);

const comparePath: Rule = (path, old, now, direction) => {
  const changes = METHODS.flatMap((method) => {
    const [before, after] = [node(old)[method], node(now)[method]];
    const where = `${method.toUpperCase()} ${path}`;
    if (before === undefined) return [];
    return after === undefined ? [`${where}: removed`] : compareOperation(where, before, after, direction);
  });
  // Nothing of a path matters whose operations are all removed.
  if (Object.keys(node(now)).length === 0) return changes;
  const others = members(Object.fromEntries(METHODS.map((method) => [method, ignored])));
  return [...changes, ...others(path, old, now, direction)];
};

const compareDocument = members({
  info: ignored,
  components: same('security schemes: changed'),
  paths: (_, old, now, direction) =>
    Object.entries(node(old)).flatMap(([path, one]) => comparePath(path, one, node(now)[path], direction)),
  webhooks: (_, old, now) =>
    Object.entries(node(old)).flatMap(([name, item]) =>
      named(compareWebhook, () => `webhook ${name}`)('', item, node(now)[name], 'received'),
    ),
});

/** How a parameter is named in a change: `GET /pets query limit`. */
const labelOf = (where: string, parameter: Node): string =>
  `${where} ${String(parameter['in'])} ${String(parameter['name'])}`;

const text = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
