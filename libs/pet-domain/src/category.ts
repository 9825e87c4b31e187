import { CategoryInUseError } from './category.errors.js';
import type { CategoryId } from './category-id.js';
import { CategoryName } from './category-name.js';
import type { Fields } from './fields.js';
import { jsonTextOf } from './fields-json.js';

interface CategoryState {
  readonly id: CategoryId;
  readonly name: CategoryName;
}

/** What a category was called before it was renamed. */
export type PreviousCategory = Pick<CategoryState, 'name'>;

/** All fields of a category, in the order of its JSON. */
export const CATEGORY_FIELDS: Fields<CategoryState> = { id: 'int64', name: 'text' };

/** A name for a category id. Pets may have the id of a category that does not exist. */
export class Category implements CategoryState {
  constructor(
    readonly id: CategoryId,
    public name: CategoryName,
  ) {}

  /** What no two categories have in common. */
  get nameKey(): string {
    return CategoryName.keyOf(this.name);
  }

  /** @returns the old name; `undefined` when it has this name already, to the letter */
  rename(name: CategoryName): PreviousCategory | undefined {
    if (name === this.name) return undefined;
    const previous = { name: this.name };
    this.name = name;
    return previous;
  }

  /**
   * @param isInUse whether a pet has its id
   * @throws {CategoryInUseError}
   */
  requireRemovable(isInUse: boolean): void {
    if (isInUse) throw new CategoryInUseError();
  }
}

/** A category as JSON text. */
export const categoryJson: (category: CategoryState) => string = jsonTextOf<CategoryState>(CATEGORY_FIELDS);
