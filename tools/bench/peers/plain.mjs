import { Redis } from 'ioredis';
import { DAY_MS, MINUTE_MS, PooledPets, REDIS_URL, tightest } from './common.mjs';
import { serve } from './serve.mjs';

/** Node's own HTTP server over pg and ioredis, written plainly. */

// Counts a request in both windows or in neither. Returns whether it is admitted, and requests and rest of both windows.
const SCRIPT = `
local used, left = {}, {}
local admitted = 1
for i = 1, 2 do
  used[i] = tonumber(redis.call('get', KEYS[i]) or '0')
  left[i] = redis.call('pttl', KEYS[i])
  if left[i] < 0 then left[i] = tonumber(ARGV[i + 2]) end
  if used[i] >= tonumber(ARGV[i]) then admitted = 0 end
end
if admitted == 1 then
  for i = 1, 2 do
    used[i] = used[i] + 1
    if redis.call('incr', KEYS[i]) == 1 then redis.call('pexpire', KEYS[i], ARGV[i + 2]) end
  end
end
return { admitted, used[1], left[1], used[2], left[2] }
`;

const pets = new PooledPets();
const redis = new Redis(REDIS_URL);
redis.defineCommand('charge', { lua: SCRIPT, numberOfKeys: 2 });

serve({
  callers: pets.callers,
  charge: async (caller) => {
    const { id, perMinute, perDay } = caller;
    const keys = [`plain:{${id}}:m`, `plain:{${id}}:d`];
    const [admitted, ...used] = await redis.charge(...keys, perMinute, perDay, MINUTE_MS, DAY_MS);
    return { admitted: admitted === 1, ...tightest(caller, used) };
  },
  list: async (page) => {
    const { pets: animals, link } = await pets.list(page);
    return { json: JSON.stringify(animals), link };
  },
  // `undefined` for none.
  find: async (id) => JSON.stringify(await pets.find(id)),
  add: async (pet) => {
    const added = await pets.add(pet);
    return { id: added.id, json: JSON.stringify(added) };
  },
});
