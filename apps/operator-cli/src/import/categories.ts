import { CategoryRepository, type Transaction } from '@petstore/persistence';
import { CategoryEvent, type CategoryId, CategoryName, CategoryNameTakenError } from '@petstore/pet-domain';

/** Categories of an import by their names, each looked up once. */
export class Categories {
  /** By the key of the name. */
  private readonly known = new Map<string, CategoryId>();

  /** @param isMade whether those are made that there are not @returns ids by the keys of the names */
  async of(
    tx: Transaction,
    names: readonly CategoryName[],
    isMade: boolean,
  ): Promise<ReadonlyMap<string, CategoryId>> {
    const ids = new Map<string, CategoryId>();
    for (const [key, name] of new Map(names.map((each) => [CategoryName.keyOf(each), each]))) {
      const there = this.known.get(key) ?? (await tx.of(CategoryRepository).findNamed(name))?.id;
      const id = there ?? (isMade ? await make(tx, name) : undefined);
      if (id === undefined) continue;
      ids.set(key, id);
      // One that this transaction has made is not there if it fails.
      tx.afterCommit(() => this.known.set(key, id));
    }
    return ids;
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
