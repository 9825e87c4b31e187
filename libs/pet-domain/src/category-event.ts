import { type Category, categoryJson, type PreviousCategory } from './category.js';

/** What can happen to a category. */
export type CategoryEventType = 'category.created' | 'category.updated' | 'category.deleted';

/** An event of a category that has no position yet. */
export interface CategoryEvent {
  readonly type: CategoryEventType;
  /** The member `data` of the event as JSON text. */
  readonly data: string;
}

export const CategoryEvent = {
  created: (category: Category): CategoryEvent => ({
    type: 'category.created',
    data: `{"category":${categoryJson(category)}}`,
  }),
  /** With the old name. */
  updated: (category: Category, { name }: PreviousCategory): CategoryEvent => ({
    type: 'category.updated',
    data: `{"category":${categoryJson(category)},"previous":${JSON.stringify({ name })}}`,
  }),
  /** With the last state. */
  deleted: (category: Category): CategoryEvent => ({
    type: 'category.deleted',
    data: `{"category":${categoryJson(category)}}`,
  }),
} as const;
