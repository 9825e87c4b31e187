import { PetCursor } from '../../../apps/api/dist/pets/pet-cursor.js';
import { animal, animalsBelow, KINDS } from '../shared/animals.mjs';
import { EVENT_TIME } from '../shared/database.mjs';

/** Different requests of one case; each connection goes round them from another start. */
const VARIANTS = 600;

/**
 * What the load needs to know of the server it talks to.
 *
 * @typedef {object} Target
 * @property {string[]} keys      accepted keys, used in turn
 * @property {string[]} orderKeys  accepted by the service, for orders
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

/** Cases that the service alone has: its peers only list, get and create. */
export const OWN_CASES = ['patch', 'delete', 'order', 'feed 20', 'feed 100', 'inventory'];

/** Cases that change animals or add some. */
export const WRITING_CASES = ['create', 'patch', 'delete', 'order'];

/** Cases that need animals of which each is used once: they are available, and above those that stay. */
export const CONSUMING_CASES = ['delete', 'order'];

/** @type {Map<string, (target: Target) => Exchange[]>} */
export const CASES = new Map([
  ['list 20', (target) => lists(target, 20)],
  ['list 100', (target) => lists(target, 100)],
  ['get', (target) => times(VARIANTS, (i) => getting(animal(position(target, i)), key(target, i)))],
  ['create', (target) => times(VARIANTS, (i) => creating(animal(i + 1), key(target, i)))],
  ['patch', (target) => patches(target)],
  ['delete', (target) => removals(target)],
  ['order', (target) => orders(target)],
  ['feed 20', (target) => feeds(target, 20)],
  ['feed 100', (target) => feeds(target, 100)],
  ['inventory', (target) => times(VARIANTS, (i) => inventory((i % 40) + 1, target, key(target, i)))],
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

/** Every request gives its animal another name: one that changes nothing would cost less. */
function patches(target) {
  let change = 0;
  return times(VARIANTS, (i) => {
    const before = animal(position(target, i));
    return {
      get request() {
        return message('PATCH', `/v1/pets/${before.id}`, key(target, i), `{"name":"Max ${++change}"}`);
      },
      status: 200,
      header: /\r\netag: "/i,
      accepts: ({ name, ...rest }) => /^Max \d+$/.test(name) && same({ ...rest, name: before.name }, before),
    };
  });
}

/** Every request removes the next of the animals above those that stay. */
function removals(target) {
  let { rows: id } = target;
  return times(VARIANTS, (i) => ({
    get request() {
      return message('DELETE', `/v1/pets/${++id}`, key(target, i));
    },
    status: 204,
    body: Buffer.alloc(0),
    accepts: () => false,
  }));
}

/** Every request orders the next of the animals above those that stay. */
function orders(target) {
  const { orderKeys } = target;
  let { rows: id } = target;
  return times(VARIANTS, () => ({
    get request() {
      return message('POST', '/v1/store/orders', orderKeys[id % orderKeys.length], `{"petId":${++id}}`);
    },
    status: 201,
    header: /\r\nlocation: \/v1\/store\/orders\/\d+\r/i,
    accepts: ({ petId, status }) => petId > target.rows && status === 'placed',
  }));
}

/** Pages from anywhere in the feed, which holds one event for each animal. */
function feeds(target, limit) {
  return times(VARIANTS, (i) => {
    const after = position(target, i);
    const expected = times(limit, (n) => ({
      id: after + 1 + n,
      type: 'pet.created',
      timestamp: EVENT_TIME,
      data: { pet: animal(after + 1 + n) },
    }));
    return {
      request: message('GET', `/v1/events?after=${after}&limit=${limit}`, key(target, i)),
      status: 200,
      header: new RegExp(`\r\nlink: [^\r]*after=${after + limit}[^\r]*rel="next"`, 'i'),
      body: Buffer.from(JSON.stringify(expected)),
      accepts: (body) => same(body, expected),
    };
  });
}

function inventory(categoryId, { rows }, secret) {
  const expected = { available: 0, pending: 0, sold: 0 };
  for (let id = 1; id <= rows; id++) {
    const counted = animal(id);
    if (counted.categoryId === categoryId) expected[counted.status]++;
  }
  return {
    request: message('GET', `/v1/store/inventory?categoryId=${categoryId}`, secret),
    status: 200,
    body: Buffer.from(JSON.stringify(expected)),
    accepts: (body) => same(body, expected),
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
