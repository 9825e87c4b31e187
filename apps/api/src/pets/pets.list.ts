import {
  CategoryId,
  PET_SEARCH,
  type PetId,
  PetIdList,
  PetInclude,
  PetStatus,
  type TextValue,
  type ValueOf,
} from '@petstore/pet-domain';
import { List } from '../lists/list.js';
import {
  cursorOf,
  filter,
  LIMIT,
  listed,
  option,
  place,
  type QueryParameter,
} from '../lists/query-parameters.js';

type Search = typeof PET_SEARCH;

/** What animals are searched by, as parameters. */
const SEARCH = Object.fromEntries(
  Object.entries<TextValue<unknown>>(PET_SEARCH).map(([name, value]) => {
    const { description = '', example } = value.schema;
    return [name, filter(value, { description, example, 'x-since': '1.0.0' })];
  }),
) as { readonly [Name in keyof Search]: QueryParameter<ValueOf<Search[Name]>, 'filter'> };

/** The list of animals. */
export const PET_LIST = new List({
  path: '/pets',
  what: 'animals',
  parameters: {
    limit: LIMIT,
    status: filter(PetStatus, { description: 'Filters by availability status.', example: 'available' }),
    cursor: cursorOf<PetId>(),
    categoryId: filter(CategoryId, { description: 'Filters by category.', 'x-since': '1.0.0' }),
    ids: place(PetIdList, {
      description: ({ filters }) =>
        `Lists these animals, all at once: at most ${PetIdList.MAX} different ones, of which a repetition counts once; those that do not exist are left out. May be combined with ${listed(filters)}, not with \`limit\` or \`cursor\`.`,
      'x-since': '1.0.0',
    }),
    include: option(PetInclude, {
      description:
        'Adds to each animal: `createdAt`, when it was added here; `profile`, what adopters look at, if it has been described.',
      example: ['profile', 'createdAt'],
      'x-since': '1.0.0',
    }),
    ...SEARCH,
  },
});
