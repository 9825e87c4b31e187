const NEW_PET = JSON.stringify({ name: 'Soak', categoryId: 7 });

/** Kinds of requests, with their share of a hundred and the statuses that are right. */
const KINDS = [
  { share: 45, make: () => ({ path: '/v1/pets?limit=20', expected: [200] }) },
  { share: 10, make: () => ({ path: '/v1/pets?status=available&limit=100', expected: [200] }) },
  {
    share: 20,
    make: (pets) => ({ path: `/v1/pets/${1 + Math.floor(Math.random() * pets)}`, expected: [200, 404] }),
  },
  {
    share: 10,
    make: () => ({ method: 'POST', path: '/v1/pets', body: NEW_PET, expected: [201], creates: true }),
  },
  { share: 3, make: () => ({ method: 'POST', path: '/v1/pets', body: '{"name":1}', expected: [400] }) },
  { share: 3, make: () => ({ path: '/v1/nothing', expected: [404] }) },
  { share: 4, make: () => ({ path: '/v1/pets', key: 'wrong', expected: [401] }) },
  { share: 5, make: () => ({ path: '/v1/pets', key: 'small', expected: [200, 429] }) },
];

/** A request by chance. @param pets how many animals there are */
export function pick(pets) {
  let chance = Math.random() * 100;
  for (const { share, make } of KINDS) {
    chance -= share;
    if (chance < 0) return make(pets);
  }
  return KINDS[0].make(pets);
}
