import { CategoryRepository, type Transaction } from '@petstore/persistence';
import { CategoryEvent, type CategoryId, CategoryName, CategoryNameTakenError } from '@petstore/pet-domain';

/** Categories by their names, in a transaction of an import; each is looked up once. */
export class Categories {
  /** By the key of the name. */
  private readonly found = new Map<string, CategoryId | undefined>();

  /**
   * @param known by the keys of their names, from transactions before
   * @param isMade whether those are made that there are not
   */
  constructor(
    private readonly tx: Transaction,
    private readonly known: Map<string, CategoryId>,
    private readonly isMade: boolean,
  ) {}

  async idOf(name: CategoryName): Promise<CategoryId | undefined> {
    const { tx, known, found } = this;
    const key = CategoryName.keyOf(name);
    if (!known.has(key) && !found.has(key)) {
      const there = await tx.of(CategoryRepository).findNamed(name);
      const id = there?.id ?? (this.isMade ? await make(tx, name) : undefined);
      found.set(key, id);
      // One that this transaction has made is not there if it fails.
      if (id !== undefined) tx.afterCommit(() => known.set(key, id));
    }
    return known.get(key) ?? found.get(key);
  }
}

async function make(tx: Transaction, name: CategoryName): Promise<CategoryId> {
  const categories = tx.of(CategoryRepository);
  try {
    const made = await categories.insertWithNextId(name);
    tx.emit(CategoryEvent.created(made));
    return made.id;
  } catch (error) {
    // Another import, or a request, may have made it meanwhile.
    const found = error instanceof CategoryNameTakenError ? await categories.findNamed(name) : undefined;
    if (found === undefined) throw error;
    return found.id;
  }
}
