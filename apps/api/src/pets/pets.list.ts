import { CategoryId, type PetId, PetIdList, PetStatus, setOf, stringEnum } from '@petstore/pet-domain';
import { List } from '../lists/list.js';
import { cursorOf, filter, LIMIT, listed, option, place } from '../lists/query-parameters.js';

/** What a list can have with each animal. */
const Include = setOf(stringEnum('profile'), { most: 1, description: 'profile' });

/** The list of animals. */
export const PET_LIST = new List({
  path: '/pets',
  what: 'animals',
  parameters: {
    limit: LIMIT,
    status: filter(PetStatus, {
      enumName: 'PetStatus',
      description: 'Filters by availability status.',
      example: 'available',
    }),
    cursor: cursorOf<PetId>(),
    categoryId: filter(CategoryId, { description: 'Filters by category.', 'x-since': '1.0.0' }),
    ids: place(PetIdList, {
      description: ({ filters }) =>
        `Lists these animals, all at once: at most ${PetIdList.MAX} different ones, of which a repetition counts once; those that do not exist are left out. May be combined with ${listed(filters)}, not with \`limit\` or \`cursor\`.`,
      'x-since': '1.0.0',
    }),
    include: option(Include, {
      description: 'Adds to each animal: `profile`, what adopters look at, if it has been described.',
      example: ['profile'],
      'x-since': '1.0.0',
    }),
  },
});
