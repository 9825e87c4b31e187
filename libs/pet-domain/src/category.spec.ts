import { expect, it } from '@jest/globals';
import { Category } from './category.js';
import { CategoryEvent } from './category-event.js';
import type { CategoryId } from './category-id.js';
import type { CategoryName } from './category-name.js';

const id = '9223372036854775807' as CategoryId;
const named = (name: string): CategoryName => name as CategoryName;

it.each([
  ['Dogs', undefined, 'Dogs'],
  ['DOGS', { name: 'Dogs' }, 'DOGS'],
  ['Cats', { name: 'Dogs' }, 'Cats'],
])('a category "Dogs" that is called %j has changed from %j', (name, previous, expected) => {
  const category = new Category(id, named('Dogs'));
  expect(category.rename(named(name))).toEqual(previous);
  expect(category.name).toBe(expected);
});

it('an event has the category with its digits, and the name before', () => {
  const category = new Category(id, named('"Dogs"'));
  expect(CategoryEvent.updated(category, { name: named('\\') })).toEqual({
    type: 'category.updated',
    data: `{"category":{"id":${id},"name":"\\"Dogs\\""},"previous":{"name":"\\\\"}}`,
  });
});

it('a category is removable while no pet has it', () => {
  const category = new Category(id, named('Dogs'));
  expect(() => {
    category.requireRemovable(true);
  }).toThrow('Animals have this category.');
  category.requireRemovable(false);
});
