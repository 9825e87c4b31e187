import { type DomainEvent, type EventDeclarations, eventOf } from './event-declaration.js';
import { type Fields, jsonTextOf } from './fields.js';
import { inOneLine } from './folded-text.js';
import { type FreeText, freeTexts, type FreeTexts } from './free-text.js';
import { type Branded, described, type Int64Id } from './value.js';
import { int64 } from './values.js';

/**
 * Identifier of an animal's category. The category need not exist: an animal may be added before it, and stay after it
 * (docs/contract.md, "Categories").
 */
export type CategoryId = Int64Id<'CategoryId'>;
export const CategoryId = int64<CategoryId>();

/** What a category is called, kept exactly as it was given. */
export type CategoryName = Branded<FreeText, 'CategoryName'>;

/**
 * Zero-width spaces and joiners, soft hyphens, variation selectors and the like, as {@link FreeText} has them; but for the
 * tags that make flags of regions different (Unicode Technical Standard 51, "Emoji Tag Sequences").
 */
const INVISIBLE = /(?<kept>\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F})|\p{Default_Ignorable_Code_Point}/gu;

/** Names of categories. */
export interface CategoryNames extends FreeTexts<CategoryName> {
  /**
   * What no two categories have in common: the name without invisible characters, in lower case and NFC, with one space for
   * each run of white space and none at the ends.
   */
  keyOf(name: CategoryName): string;
}

export const CategoryName: CategoryNames = {
  ...freeTexts<CategoryName>(),
  // Stricter than "in any case": ß and ss are two letters. Keys are stored, so that this one stays as it is.
  keyOf: (name) =>
    inOneLine(
      name.replace(INVISIBLE, '$<kept>').normalize('NFC').toLowerCase().normalize('NFC'),
      /[\p{White_Space}\u2800]+/gu,
    ),
};

interface CategoryState {
  readonly id: CategoryId;
  readonly name: CategoryName;
}

/** What a category was called before it was renamed. */
export type PreviousCategory = Pick<CategoryState, 'name'>;

/** All fields of a category, in the order of its JSON. */
export const CATEGORY_FIELDS: Fields<CategoryState> = {
  id: described(CategoryId, 'The `categoryId` of its animals.', 7),
  name: described(
    CategoryName,
    `1 to ${CategoryName.MAX_CODE_POINTS} Unicode characters, not only white space, no control characters. No two categories have the same name, apart from case, white space and invisible characters.`,
    'Dogs',
  ),
};

/** A name for a category id. Animals may have the id of a category that does not exist. */
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
   * @param isInUse whether an animal has its id
   * @throws {CategoryInUseError}
   */
  requireRemovable(isInUse: boolean): void {
    if (isInUse) throw new CategoryInUseError();
  }
}

/** A category as JSON text. */
export const categoryJson: (category: CategoryState) => string = jsonTextOf<CategoryState>(CATEGORY_FIELDS);

const previousJson = jsonTextOf<PreviousCategory>({ name: CATEGORY_FIELDS.name });

/** What can happen to a category. */
export const CATEGORY_EVENTS = {
  'category.created': ['category'],
  'category.updated': ['category', 'previous'],
  'category.deleted': ['category'],
} as const satisfies EventDeclarations;

export type CategoryEvent = DomainEvent<keyof typeof CATEGORY_EVENTS>;

export const CategoryEvent = {
  created: (category: Category): CategoryEvent =>
    eventOf('category.created', { category: categoryJson(category) }),
  /** With the old name. */
  updated: (category: Category, previous: PreviousCategory): CategoryEvent =>
    eventOf('category.updated', { category: categoryJson(category), previous: previousJson(previous) }),
  /** With the last state. */
  deleted: (category: Category): CategoryEvent =>
    eventOf('category.deleted', { category: categoryJson(category) }),
} as const;

/** The name belongs to another category, apart from case and white space. */
export class CategoryNameTakenError extends Error {
  override readonly name = 'CategoryNameTakenError';
}

/** The category cannot be removed while an animal has its id. */
export class CategoryInUseError extends Error {
  override readonly name = 'CategoryInUseError';
}
