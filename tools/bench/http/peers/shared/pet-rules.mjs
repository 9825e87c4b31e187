/** The rules of the contract that a peer without a validation library of its own checks by hand. */

const STATUSES = ['available', 'pending', 'sold'];
const LIMIT = /^([1-9]\d?|100)$/;
const ID = /^[1-9]\d{0,17}$/;
// Control characters are what is to be refused.
// eslint-disable-next-line no-control-regex
const NAME = /^(?=[^]*\S)[^\x00-\x1f\x7f]{1,255}$/u;

/** A request that breaks a rule of the contract. */
export class BadRequest extends Error {}

/**
 * The page that a query asks for. The cursor of the peers is the id of the last animal already seen.
 *
 * @param {{ limit?: string, status?: string, cursor?: string }} query
 */
export function pageOf({ limit = '20', status, cursor }) {
  if (!LIMIT.test(limit)) throw new BadRequest('limit must be a whole number from 1 to 100');
  if (status !== undefined && !STATUSES.includes(status))
    throw new BadRequest('status must be one of available, pending, sold');
  if (cursor !== undefined && !ID.test(cursor)) throw new BadRequest('cursor must come from this list');
  return { limit: Number(limit), status, cursor };
}

/** The id in a path, or `undefined` when no animal can have it. */
export function idOf(text) {
  return ID.test(text) ? text : undefined;
}

/** The animal that a body asks for. */
export function newPetOf(body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new BadRequest('the body must be a JSON object');
  const { name, categoryId, status = 'available' } = body;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new BadRequest('name must be a string of 1 to 255 characters');
  if (!Number.isSafeInteger(categoryId) || categoryId < 1)
    throw new BadRequest('categoryId must be a whole number from 1');
  if (!STATUSES.includes(status)) throw new BadRequest('status must be one of available, pending, sold');
  return { name, categoryId, status };
}

/** Link header field of a page; `undefined` for the only one. */
export function linkOf({ limit, status, cursor }, lastId, more) {
  const filter = status === undefined ? '' : `&status=${status}`;
  const first = cursor === undefined ? '' : `</v1/pets?limit=${limit}${filter}>; rel="first"`;
  if (!more) return first === '' ? undefined : first;
  const next = `</v1/pets?limit=${limit}${filter}&cursor=${lastId}>; rel="next"`;
  return first === '' ? next : `${next}, ${first}`;
}
