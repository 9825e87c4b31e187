import { isDeepStrictEqual } from 'node:util';
import { PET_LIST } from '../../apps/api/dist/pets/pets.list.js';
import { animal, creation, isWanted, NEW_CATEGORY, STATUSES } from './data.mjs';

const SEARCH = { species: 'dog', size: ['small', 'medium'], goodWith: ['children'] };
/** Different requests of one case; each connection goes round them from another start. */
const VARIANTS = 600;

/**
 * What a case needs to know of the server that it is for.
 *
 * @typedef {object} Target
 * @property {string[]} keys        accepted keys, used in turn
 * @property {string} madeUpKey     a key of the right form that was never issued
 * @property {string} exhaustedKey  a key whose limit is used up
 * @property {boolean} isOurs       whether it is the service, whose cursors are opaque; those of the peers are ids
 * @property {number} rows          animals that stay as they are, with the ids from 1
 * @property {number} firstSpare    id of the first of the animals that this measurement may change or remove
 *
 * One request and what its response must be.
 *
 * @typedef {object} Exchange
 * @property {() => Buffer} request
 * @property {number} status
 * @property {RegExp} [header]
 * @property {Buffer} [body]                       the response as it probably comes, byte by byte
 * @property {(body: unknown) => boolean} accepts  whether a parsed response is right
 */

/** @type {Record<string, (target: Target) => Exchange[]>} */
export const CASES = {
  'list 20': (target) => lists(target, 20),
  'list 100': (target) => lists(target, 100),
  // From anywhere in the table, as lists.
  search: (target) =>
    variants((i) => {
      const before = position(target, i) + 1_000;
      const query = 'limit=20&species=dog&size=small,medium&goodWith=children';
      const cursor = target.isOurs ? cursorBehind(String(before), SEARCH) : String(before);
      const expected = [];
      for (let id = before - 1; expected.length < 20; id--) if (isWanted(id)) expected.push(animal(id));
      return reading(`/v1/pets?${query}&cursor=${cursor}`, keyOf(target, i), expected);
    }),
  get: (target) =>
    variants((i) => {
      const expected = animal(position(target, i));
      return reading(`/v1/pets/${expected.id}`, keyOf(target, i), expected);
    }),
  create: (target) =>
    variants((i) => {
      const { name, status } = animal(i);
      const pet = { name, categoryId: NEW_CATEGORY, status };
      const request = message('POST', '/v1/pets', keyOf(target, i), JSON.stringify(pet));
      return {
        request: () => request,
        status: 201,
        header: /\r\nlocation: \/v1\/pets\/\d+\r/i,
        accepts: (body) => Number.isSafeInteger(body.id) && isDeepStrictEqual(body, { id: body.id, ...pet }),
      };
    }),
  // Every request gives its animal another name: one that changes nothing would cost less.
  patch: (target) => {
    let change = 0;
    return variants((i) => ({
      request: () =>
        message('PATCH', `/v1/pets/${target.firstSpare + i}`, keyOf(target, i), `{"name":"Max ${++change}"}`),
      status: 200,
      header: /\r\netag: "/i,
      accepts: ({ name }) => /^Max \d+$/.test(name),
    }));
  },
  delete: (target) => {
    let id = target.firstSpare;
    return variants((i) => ({
      request: () => message('DELETE', `/v1/pets/${id++}`, keyOf(target, i)),
      status: 204,
      body: Buffer.alloc(0),
      accepts: () => false,
    }));
  },
  order: (target) => {
    let id = target.firstSpare;
    return variants((i) => ({
      request: () => message('POST', '/v1/store/orders', keyOf(target, i), `{"petId":${id++}}`),
      status: 201,
      header: /\r\nlocation: \/v1\/store\/orders\/\d+\r/i,
      accepts: ({ petId, status }) => petId >= target.firstSpare && status === 'placed',
    }));
  },
  // Pages from anywhere in the feed, which holds one event for each animal.
  'feed 20': (target) => feeds(target, 20),
  'feed 100': (target) => feeds(target, 100),
  inventory: (target) => {
    const counts = Array.from({ length: 41 }, () =>
      Object.fromEntries(STATUSES.map((status) => [status, 0])),
    );
    for (let id = 1; id <= target.rows; id++) counts[animal(id).categoryId][animal(id).status]++;
    return variants((i) => {
      const categoryId = (i % 40) + 1;
      return reading(`/v1/store/inventory?categoryId=${categoryId}`, keyOf(target, i), counts[categoryId]);
    });
  },
  '401 made up': (target) => refusals(target, target.madeUpKey, 401),
  '401 garbage': (target) => refusals(target, 'garbage', 401),
  '404 unknown': (target) => refusals(target, target.keys[0], 404, 1_000_000_000),
  '429 used up': (target) => refusals(target, target.exhaustedKey, 429),
};

/** Cases that the peers lack: they only list, get and create. */
export const OWN_CASES = ['patch', 'delete', 'order', 'feed 20', 'feed 100', 'inventory'];

/** Cases that change animals, or remove or order each once. */
export const CONSUMING_CASES = ['patch', 'delete', 'order'];

/** The cursor that the page which ends with this animal has for the next one. */
const cursorBehind = (id, query) =>
  PET_LIST.open(query).respond({ json: '', last: id, more: true }, { ofPage: () => '' }).next;

/** Pages from anywhere in the table: nearly no two requests ask for the same. */
function lists(target, limit) {
  return variants((i) => {
    const status = STATUSES[i % STATUSES.length];
    // Far enough from the start that every page is full and another one follows.
    const before = position(target, i) + limit * 10 + 11;
    const cursor = target.isOurs ? cursorBehind(String(before), { status }) : String(before);
    const expected = [];
    for (let id = before - 1; expected.length < limit; id--)
      if (animal(id).status === status) expected.push(animal(id));
    return {
      ...reading(`/v1/pets?limit=${limit}&status=${status}&cursor=${cursor}`, keyOf(target, i), expected),
      header: /\r\nlink: [^\r]*rel="next"/i,
    };
  });
}

function feeds(target, limit) {
  return variants((i) => {
    const after = position(target, i);
    const expected = Array.from({ length: limit }, (_, n) => creation(after + 1 + n));
    return {
      ...reading(`/v1/events?after=${after}&limit=${limit}`, keyOf(target, i), expected),
      header: new RegExp(`\r\nlink: [^\r]*after=${after + limit}[^\r]*rel="next"`, 'i'),
    };
  });
}

function reading(path, key, expected) {
  const request = message('GET', path, key);
  return {
    request: () => request,
    status: 200,
    body: Buffer.from(JSON.stringify(expected)),
    accepts: (body) => isDeepStrictEqual(body, expected),
  };
}

function refusals(target, key, status, beyond = 0) {
  return variants((i) => {
    const request = message('GET', `/v1/pets/${position(target, i) + beyond}`, key);
    const accepts = (body) => typeof body.code === 'string' && body.status === status;
    return { request: () => request, status, accepts };
  });
}

function message(method, path, key, json) {
  const content = json && [`Content-Type: application/json`, `Content-Length: ${Buffer.byteLength(json)}`];
  const fields = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'User-Agent: bench',
    'Accept: application/json',
    `Authorization: Bearer ${key}`,
    ...(content ?? []),
  ];
  return Buffer.from(`${fields.join('\r\n')}\r\n\r\n${json ?? ''}`);
}

const variants = (make) => Array.from({ length: VARIANTS }, (_, i) => make(i));

/** Spread over the table by a step that is prime to every size in use. */
const position = ({ rows }, i) => ((i * 7_919 * 31) % (rows - 2_000)) + 1;

const keyOf = ({ keys }, i) => keys[i % keys.length];
