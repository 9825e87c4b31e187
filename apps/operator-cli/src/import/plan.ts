import type { KnownPet, StockChange, StockImport } from '@petstore/persistence';
import { type CategoryId, CategoryName, type Day, PetStatus } from '@petstore/pet-domain';
import { type Flaw, type JudgedRecord, profileOf } from './stock-record.js';

export interface PlanOptions {
  /** Ids of categories by species in small letters. */
  readonly categories: ReadonlyMap<string, CategoryId>;
  readonly createCategories: boolean;
  /** Whether sold animals become available or pending again. */
  readonly reopen: boolean;
  /** Whether another animal may take the place of a known one. */
  readonly force: boolean;
  readonly latestBirth: Day;
}

/** What is to become of an animal of a file. */
export interface Decision {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused';
  readonly change?: StockChange;
  /** An order keeps it from the status of the file. */
  readonly isHeld?: boolean;
  /** Why it is refused, or what is not as the file has it. */
  readonly flaws: readonly Flaw[];
}

function noCategory(species: unknown): Flaw {
  const quoted = typeof species === 'string' ? JSON.stringify(species) : undefined;
  return {
    reason:
      quoted === undefined
        ? 'It has no species, and so no category.'
        : `There is no category for the species ${quoted}: say --category ${quoted}=<id>, give a category this name, or ` +
          'say --create-categories.',
  };
}

/** Whether two texts are both known and are not the same in any case. */
function differs(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.trim().toLowerCase() !== other.trim().toLowerCase();
}

type Members = Readonly<Record<string, unknown>>;

function present(members: unknown): Members {
  return Object.fromEntries(
    Object.entries((members ?? {}) as Members).filter(([, value]) => value !== undefined),
  );
}

/** Members that the record has replace those that there were; of `goodWith`, each by itself. */
function merged(old: Members, fresh: Members): Members {
  const goodWith = { ...present(old['goodWith']), ...present(fresh['goodWith']) };
  return {
    ...old,
    ...present(fresh),
    goodWith: Object.keys(goodWith).length === 0 ? undefined : goodWith,
  };
}

/** Compares records of a file with the animals that there are. */
export class Plan {
  /** By the key of their name; one that is to be made has none yet. */
  private readonly categories = new Map<string, Pick<StockChange, 'categoryId' | 'categoryName'>>();

  constructor(
    private readonly stock: StockImport,
    private readonly options: PlanOptions,
  ) {}

  decide(record: JudgedRecord, known: KnownPet | undefined): Promise<Decision> {
    return known === undefined ? this.add(record) : Promise.resolve(this.compare(record, known));
  }

  private async add(record: JudgedRecord): Promise<Decision> {
    const { reference, name, profile: members, lacks, isOfSpecies } = record;
    const category = isOfSpecies
      ? await this.categoryOf(members['species'])
      : { categoryId: record.categoryId };
    const profile = profileOf(members, this.options.latestBirth);
    const flaws = [
      ...lacks,
      ...(category === undefined ? [noCategory(members['species'])] : []),
      ...(typeof profile === 'string' ? [] : profile.flaws),
    ];
    if (flaws.length > 0 || typeof profile !== 'string' || name === undefined)
      return { outcome: 'refused', flaws };
    const { status = PetStatus.DEFAULT } = record;
    return {
      outcome: 'created',
      change: { ...{ kind: 'created', reference, name, status, profile }, ...category },
      flaws: [],
    };
  }

  private compare(record: JudgedRecord, known: KnownPet): Decision {
    const old = JSON.parse(known.profile) as Members;
    const isAnother = differs(record.profile['species'], old['species']) && differs(record.name, known.name);
    if (isAnother && !this.options.force)
      return {
        outcome: 'refused',
        flaws: [
          {
            reason: 'It is another animal with this reference: species and name differ. --force replaces it.',
          },
        ],
      };
    // A record without a number of the shelter has its key there, which replaces none that is known.
    const isKey = record.profile['reference'] === record.reference;
    const fresh = isKey
      ? { ...record.profile, reference: old['reference'] ?? record.reference }
      : record.profile;
    const profile = profileOf(isAnother ? record.profile : merged(old, fresh), this.options.latestBirth);
    if (typeof profile !== 'string') return { outcome: 'refused', flaws: profile.flaws };
    const { name = known.name } = record;
    const { status, ...kept } = this.statusOf(record, known);
    if (name === known.name && status === known.status && profile === known.profile)
      return { outcome: 'unchanged', ...kept };
    const before = { oldName: known.name, oldStatus: known.status, oldProfile: known.profile };
    const { reference } = record;
    return {
      outcome: 'updated',
      change: {
        ...{ kind: 'updated', reference, id: known.id, name, categoryId: known.categoryId, status, profile },
        ...{ ...before, record: JSON.stringify(record) },
      },
      ...kept,
    };
  }

  private statusOf(
    { status }: JudgedRecord,
    known: KnownPet,
  ): Omit<Decision, 'outcome'> & { status: PetStatus } {
    if (status === undefined || status === known.status) return { status: known.status, flaws: [] };
    const stays = (reason: string): Flaw[] => [{ reason: `${reason}: it stays ${known.status}.` }];
    if (known.isHeld)
      return { status: known.status, isHeld: true, flaws: stays('An order holds the animal') };
    if (known.status === 'sold' && !this.options.reopen)
      return { status: known.status, flaws: stays(`The file has it as ${status}, without --reopen`) };
    return { status, flaws: [] };
  }

  /** @returns what is `undefined` when there is no way to one */
  private async categoryOf(
    species: unknown,
  ): Promise<Pick<StockChange, 'categoryId' | 'categoryName'> | undefined> {
    const name = typeof species === 'string' ? (CategoryName.parse(species) ?? undefined) : undefined;
    if (name === undefined) return undefined;
    const key = CategoryName.keyOf(name);
    const given = this.options.categories.get(name.trim().toLowerCase());
    const kept = given === undefined ? this.categories.get(key) : { categoryId: given };
    if (kept !== undefined) return kept;
    const categoryId = await this.stock.categoryNamed(name);
    if (categoryId === undefined && !this.options.createCategories) return undefined;
    const category = categoryId === undefined ? { categoryName: name } : { categoryId };
    this.categories.set(key, category);
    return category;
  }
}
