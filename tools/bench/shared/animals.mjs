/**
 * The animals of the benchmark: number N is the same on every run, so that every response can be foretold.
 * Six of ten are available, three pending, one sold; some names need escapes, some more than one byte.
 */

const NAMES = ['Rex', 'Mia', 'Goldie', 'Пушок', 'Hazel "the brave"', 'Ñandú'];
const STATUSES = [
  'available',
  'available',
  'pending',
  'available',
  'sold',
  'available',
  'pending',
  'available',
  'pending',
  'available',
];

export const KINDS = ['available', 'pending', 'sold'];

/** The animal with this id, from 1 to the number of rows. */
export function animal(id) {
  return {
    id,
    name: `${NAMES[id % NAMES.length]} ${id}`,
    categoryId: (id % 40) + 1,
    status: STATUSES[id % STATUSES.length],
  };
}

/** The response to a list: the newest `limit` animals of this status below `before`. */
export function animalsBelow(before, status, limit) {
  const found = [];
  for (let id = before - 1; id >= 1 && found.length < limit; id--) {
    if (STATUSES[id % STATUSES.length] === status) found.push(animal(id));
  }
  return found;
}

/** The same rule in SQL, over a column called `id`: name, category_id, status. */
export const ANIMAL_COLUMNS = `
  (${sqlArray(NAMES)})[id % ${NAMES.length} + 1] || ' ' || id,
  id % 40 + 1,
  (${sqlArray(STATUSES)})[id % ${STATUSES.length} + 1]`;

function sqlArray(texts) {
  return `array[${texts.map((text) => `'${text}'`).join(', ')}]`;
}
