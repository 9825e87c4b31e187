/**
 * Serializes transactions of one key which count what it has: open orders, endpoints and their URLs. The key itself can be
 * used, and changed, meanwhile. $1 key id.
 */
export const LOCK_KEY = 'select from api_keys where id = $1 for no key update';
