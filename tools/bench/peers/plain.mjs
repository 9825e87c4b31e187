import { PooledPets, tightest } from './common.mjs';
import { chargesOn, serve } from './serve.mjs';

/** Node's own HTTP server over pg and ioredis, written plainly. */

const pets = new PooledPets();
const charge = chargesOn('plain');

serve({
  callers: pets.callers,
  charge: async (caller) => {
    const [[admitted, minute, minuteLeft, day, dayLeft]] = await charge([{ caller, requests: 1 }]);
    const used = [minute + admitted, minuteLeft, day + admitted, dayLeft];
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
