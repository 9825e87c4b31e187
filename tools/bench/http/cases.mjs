import { PetCursor } from '../../../apps/api/dist/pets/pet-cursor.js';
import { animal, animalsBelow, KINDS } from '../shared/animals.mjs';

/** Different requests of one case; each connection goes round them from another start. */
const VARIANTS = 600;

/**
 * What the load needs to know of the server it talks to.
 *
 * @typedef {object} Target
 * @property {string[]} keys      accepted keys, used in turn
 * @property {string} wrongKey    a key of the right form that nobody has
 * @property {string} exhaustedKey a key whose limit is used up
 * @property {'bare id' | 'opaque'} cursor how positions in a list are spelt
 * @property {number} rows        animals in the table
 */

/**
 * One request and what its response must be.
 *
 * @typedef {object} Exchange
 * @property {Buffer} request
 * @property {number} status
 * @property {Buffer} [body]                     the response as it probably comes, byte by byte
 * @property {(body: unknown) => boolean} accepts whether a parsed response is right
 */

/** @type {Map<string, (target: Target) => Exchange[]>} */
export const CASES = new Map([
  ['list 20', (target) => lists(target, 20)],
  ['list 100', (target) => lists(target, 100)],
  ['get', (target) => times(VARIANTS, (i) => getting(animal(position(target, i)), key(target, i)))],
  ['create', (target) => times(VARIANTS, (i) => creating(animal(i + 1), key(target, i)))],
  ['401', (target) => times(VARIANTS, (i) => refused(target.wrongKey, position(target, i), 401))],
  ['429', (target) => times(VARIANTS, (i) => refused(target.exhaustedKey, position(target, i), 429))],
]);

/** Pages from anywhere in the table: nearly no two requests ask for the same. */
function lists(target, limit) {
  return times(VARIANTS, (i) => {
    const status = KINDS[i % KINDS.length];
    // Far enough from the start that every page is full and another follows.
    const before = position(target, i) + limit * 10 + 11;
    const cursor = encodeCursor(target.cursor, status, before);
    const expected = animalsBelow(before, status, limit);
    return {
      request: message('GET', `/v1/pets?limit=${limit}&status=${status}&cursor=${cursor}`, key(target, i)),
      status: 200,
      header: /\r\nlink: [^\r]*rel="next"/i,
      body: Buffer.from(JSON.stringify(expected)),
      accepts: (body) => same(body, expected),
    };
  });
}

function encodeCursor(form, status, before) {
  return form === 'opaque' ? PetCursor.encode({ status, before: String(before) }) : String(before);
}

function getting(expected, secret) {
  return {
    request: message('GET', `/v1/pets/${expected.id}`, secret),
    status: 200,
    body: Buffer.from(JSON.stringify(expected)),
    accepts: (body) => same(body, expected),
  };
}

function creating({ name, categoryId, status }, secret) {
  const json = JSON.stringify({ name, categoryId, status });
  return {
    request: message('POST', '/v1/pets', secret, json),
    status: 201,
    header: /\r\nlocation: \/v1\/pets\/\d+\r/i,
    accepts: (body) => Number.isSafeInteger(body.id) && same(body, { id: body.id, name, categoryId, status }),
  };
}

function refused(secret, id, status) {
  return {
    request: message('GET', `/v1/pets/${id}`, secret),
    status,
    accepts: (body) =>
      Object.keys(body).length === 3 &&
      typeof body.code === 'string' &&
      typeof body.message === 'string' &&
      body.status === status,
  };
}

function message(method, path, secret, json) {
  const body = json === undefined ? '' : json;
  const fields = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'User-Agent: bench',
    'Accept: application/json',
    `Authorization: Bearer ${secret}`,
    ...(json === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${fields.join('\r\n')}\r\n\r\n${body}`);
}

function times(count, make) {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** Spread over the table by a step that is prime to every size in use. */
function position({ rows }, i) {
  return ((i * 7_919 * 31) % (rows - 2_000)) + 1;
}

function key({ keys }, i) {
  return keys[i % keys.length];
}

/** Member by member, in any order; nothing more and nothing less. */
function same(found, expected) {
  if (typeof expected !== 'object' || typeof found !== 'object' || found === null) return found === expected;
  const names = Object.keys(expected);
  return (
    Array.isArray(found) === Array.isArray(expected) &&
    Object.keys(found).length === names.length &&
    names.every((name) => same(found[name], expected[name]))
  );
}
