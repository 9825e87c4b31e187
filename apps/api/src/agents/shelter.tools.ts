import { EventPosition } from '@petstore/event-feed';
import type { PetInventoryStore } from '@petstore/persistence';
import {
  CATEGORY_FIELDS,
  CategoryId,
  described,
  inventoryJson,
  type Members,
  objectOf,
  PageLimit,
  PetStatus,
  resourceOf,
} from '@petstore/pet-domain';
import type { CategoriesService } from '../categories/categories.service.js';
import type { EventsService } from '../events/events.service.js';
import { allowStale } from '../storage/allow-stale.js';
import { animalOf } from './animal-profile.js';
import { cursor, digits, limit } from './arguments.js';
import { COUNT, named, NEXT_CURSOR, parseExactly, resultOf, someOf, TEXT } from './results.js';
import { defineTool, type Tool } from './tool.js';

const CHANGE = resourceOf({
  id: EventPosition,
  type: described(TEXT, 'What has happened: pet.updated, order.placed and the like.'),
  timestamp: TEXT,
  data: described(
    resourceOf({}),
    'The animal, category or order as it was then, and the previous values of what changed.',
  ),
});

/** What a shelter has: categories, how many animals, what has changed. */
export const shelterTools = (
  categories: CategoriesService,
  inventory: PetInventoryStore,
  events: EventsService,
): readonly Tool[] => [
  defineTool({
    name: 'list_categories',
    description:
      'Returns the names of categories, newest first; an animal may have a category without a name.',
    scope: 'pets:read',
    arguments: objectOf({ cursor: cursor<CategoryId>() }),
    result: resourceOf({
      categories: someOf(resourceOf(CATEGORY_FIELDS), PageLimit.MAX),
      next_cursor: NEXT_CURSOR,
    }),
    run: async (given) => {
      const { json, next } = await categories.list({ limit: PageLimit.MAX, ...given });
      return { categories: resultOf(json), next_cursor: next };
    },
  }),
  defineTool({
    name: 'count_animals',
    description: 'Returns how many animals there are of each status, at most a second behind.',
    scope: 'pets:read',
    arguments: objectOf({ categoryId: digits(CategoryId, 'Counts the animals of this category only.') }),
    result: resourceOf(Object.fromEntries(PetStatus.ALL.map((status) => [status, COUNT]))),
    run: async ({ categoryId }, caller) =>
      resultOf(inventoryJson(await inventory.count(categoryId, allowStale(caller)))),
  }),
  defineTool({
    name: 'list_changes',
    description:
      'Returns what has changed since a position, oldest first. Without after it returns no changes, but the position of now: keep it, and call again later with it as after. Fewer changes than limit: there are no more yet.',
    scope: 'pets:read',
    arguments: objectOf({
      after: digits(EventPosition, 'A position that this tool gave.'),
      limit: limit(PageLimit.MAX, PageLimit.DEFAULT),
    }),
    result: resourceOf({
      changes: someOf(CHANGE, PageLimit.MAX),
      position: described(EventPosition, 'Where to go on: send it as `after`.'),
    }),
    run: async (given, caller) => {
      const query = { after: 'latest', ...given } as const;
      const { json, next } = await events.list(query, caller);
      return { changes: (parseExactly(json) as Members[]).map(changeOf), position: next };
    },
  }),
];

/** An event as tools give it: the profile is flat beside the members of its animal. */
function changeOf({ data, ...event }: Members): Members {
  const { pet, profile, ...others } = data as Readonly<Record<string, Members>>;
  const animal = pet && { animal: animalOf({ ...pet, profile }) };
  return { ...event, data: { ...animal, ...(named(others) as Members) } };
}
