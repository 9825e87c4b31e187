import { CategoryRepository, type DescribedSourcePet, type Transaction } from '@petstore/persistence';
import {
  CategoryEvent,
  type CategoryId,
  CategoryName,
  CategoryNameTakenError,
  Day,
  foldedText,
  type InvalidProfileError,
  type Pet,
  type PetName,
  type PetProfile,
  PetStatus,
  type PreviousPet,
} from '@petstore/pet-domain';
import type { AnimalsFile, FileRecord } from './animals-file.js';
import type { ImportOptions } from './import.options.js';
import {
  type Members,
  type Problem,
  profileOf,
  validateRecord,
  type ValidRecord,
} from './validate-record.js';

/** A category, or the name of one that is to be made. */
type CategoryChoice = { readonly id: CategoryId } | { readonly name: CategoryName };

/** A new animal. */
export interface Addition {
  readonly reference: string | undefined;
  readonly name: PetName;
  readonly status: PetStatus;
  readonly profile: PetProfile;
  readonly category: CategoryChoice;
}

/** A known animal, changed but not saved. */
export interface Change {
  readonly pet: Pet;
  /** The old values of what has changed of the animal itself. */
  readonly previous: PreviousPet | undefined;
  /** Another profile than before. */
  readonly profile: PetProfile | undefined;
  /** The file itself says that it is sold, of which an import had only known that it was missing. */
  readonly isSoldBySource: boolean;
}

/** What is to become of an animal of a file. */
export interface Decision {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused';
  /** What is to be written, if anything is. */
  readonly addition?: Addition;
  readonly change?: Change;
  /** An order keeps it from the status of the file. */
  readonly isHeld?: boolean;
  /** It was sold because it was missing, and is there again. */
  readonly isReturned?: boolean;
  /** Why it is refused, or what is not as the file has it. */
  readonly problems: readonly Problem[];
}

const refused = (problems: readonly Problem[]): Decision => ({ outcome: 'refused', problems });

/** The status that a known animal is to have, and what is to be said of it. */
interface StatusChoice extends Pick<Decision, 'isHeld' | 'isReturned' | 'problems'> {
  readonly status: PetStatus;
}

/** Compares records of a file with the animals that there are, in either reading of the file. */
export class Plan {
  /** Of categories that there are, by the key of their name. */
  private readonly categories = new Map<string, CategoryId>();
  /** The last day on which animals may be born: tomorrow in UTC. */
  private readonly latestBirth = Day.of(new Date(), 1);

  constructor(
    private readonly file: AnimalsFile,
    private readonly options: ImportOptions,
  ) {}

  /** @param known of which the animal is changed by this, but not saved */
  async decide(
    tx: Transaction,
    record: FileRecord,
    known: DescribedSourcePet | undefined,
  ): Promise<Decision> {
    const { file, options, latestBirth } = this;
    const valid = validateRecord(file, record, latestBirth, known === undefined);
    if ('length' in valid) return refused(valid);
    if (options.source === undefined) return this.add(tx, { ...valid, reference: undefined });
    if (valid.reference === undefined) {
      const reason = 'is missing: with --source each record needs one';
      return refused([{ field: file.fieldOf('reference'), reason }]);
    }
    return known === undefined ? this.add(tx, valid) : this.compare(valid, known);
  }

  /** The category that a new animal is to have, which is made if there is none of this name. */
  async categoryFor(tx: Transaction, category: CategoryChoice): Promise<CategoryId> {
    if ('id' in category) return category.id;
    const found = await this.categoryNamed(tx, category.name);
    if (found !== undefined) return found;
    try {
      const made = await new CategoryRepository(tx.manager).insertWithNextId(category.name);
      tx.emit(CategoryEvent.created(made));
      return made.id;
    } catch (error) {
      if (!(error instanceof CategoryNameTakenError)) throw error;
      // Another import, or a request, has made it meanwhile.
      return this.categoryFor(tx, category);
    }
  }

  /** For a record whose reference an earlier one has. */
  refuseRepeat(reference: string): Decision {
    return refused([{ reason: `The reference ${JSON.stringify(reference)} is in the file twice.` }]);
  }

  private async add(tx: Transaction, record: ValidRecord): Promise<Decision> {
    const { reference, name, status = PetStatus.DEFAULT } = record;
    const members = JSON.parse(record.profile) as Members;
    const { species } = members;
    const category = await this.choose(tx, record, species);
    if (category === undefined) return refused([{ reason: noCategory(species) }]);
    if (name === undefined) return refused([{ field: 'name', reason: 'is missing: a new animal needs one' }]);
    const described = merged({}, members, record);
    const isWhole = described['reference'] === members['reference'];
    const profile = isWhole ? record.profile : profileOf(described, this.latestBirth);
    if (typeof profile !== 'string') return refused(problemsOf(profile));
    return { outcome: 'created', addition: { reference, name, status, profile, category }, problems: [] };
  }

  private compare(record: ValidRecord, known: DescribedSourcePet): Decision {
    const { pet, reservation } = known;
    const old = JSON.parse(known.profile) as Members;
    const fresh = JSON.parse(record.profile) as Members;
    const isAnother = differs(fresh['species'], old['species']) && differs(record.name, pet.name);
    if (isAnother && !this.options.force) return refused([{ reason: ANOTHER }]);
    const described = profileOf(merged(isAnother ? {} : old, fresh, record), this.latestBirth);
    if (typeof described !== 'string') return refused(problemsOf(described));
    const { status, ...said } = this.statusOf(record, known);
    const isSoldBySource = known.soldFrom !== undefined && record.status === 'sold';
    const previous = pet.restate({ name: record.name, status }, reservation);
    const profile = described === known.profile ? undefined : described;
    const isEqual = previous === undefined && profile === undefined;
    const change = { pet, previous, profile, isSoldBySource };
    return {
      outcome: isEqual ? 'unchanged' : 'updated',
      ...((!isEqual || isSoldBySource) && { change }),
      ...said,
    };
  }

  private statusOf(
    { status }: ValidRecord,
    { pet, reservation, soldFrom }: DescribedSourcePet,
  ): StatusChoice {
    if (status === pet.status) return { status, problems: [] };
    const stays = (reason: string): Problem[] => [{ reason: `${reason}: it stays ${pet.status}.` }];
    if (reservation !== undefined)
      return { status: pet.status, isHeld: true, problems: stays('An order holds the animal') };
    if (pet.status !== 'sold') return { status: status ?? pet.status, problems: [] };
    // The shelter has it again, and had never said otherwise.
    if (soldFrom !== undefined) return { status: status ?? soldFrom, isReturned: true, problems: [] };
    if (status !== undefined && this.options.reopen) return { status, problems: [] };
    const shown =
      status === undefined ? 'shows it without a status' : `has it as ${status}, without --reopen`;
    return { status: pet.status, problems: stays(`The file ${shown}`) };
  }

  /** @returns `undefined` when there is no way to a category */
  private async choose(
    tx: Transaction,
    { categoryId }: ValidRecord,
    species: unknown,
  ): Promise<CategoryChoice | undefined> {
    if (!this.file.isForeign) return categoryId && { id: categoryId };
    const name = typeof species === 'string' ? CategoryName.parse(species) : undefined;
    if (name === undefined) return undefined;
    const id = this.options.category.get(foldedText(name)) ?? (await this.categoryNamed(tx, name));
    if (id !== undefined) return { id };
    return this.options.createCategories ? { name } : undefined;
  }

  private async categoryNamed(tx: Transaction, name: CategoryName): Promise<CategoryId | undefined> {
    const key = CategoryName.keyOf(name);
    const id = this.categories.get(key) ?? (await new CategoryRepository(tx.manager).findNamed(name))?.id;
    // One that this transaction has made is not there if it fails.
    if (id !== undefined) tx.afterCommit(() => this.categories.set(key, id));
    return id;
  }
}

const ANOTHER = 'It is another animal with this reference: species and name differ. --force replaces it.';

function noCategory(species: unknown): string {
  if (typeof species !== 'string') return 'It has no species, and so no category.';
  const quoted = JSON.stringify(species);
  return (
    `There is no category for the species ${quoted}: say --category ${quoted}=<id>, give a category this name, or ` +
    'say --create-categories.'
  );
}

/** Whether two texts are both known and are not the same in any case. */
function differs(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return foldedText(one) !== foldedText(other);
}

const problemsOf = (problems: readonly InvalidProfileError[]): Problem[] =>
  problems.map(({ path: field, problem: reason }) => ({ field, reason }));

/**
 * Members that the record has replace those that there were; of `goodWith`, each by itself. An animal without a number of
 * the shelter has its reference there.
 */
function merged(old: Members, fresh: Members, { reference, hasNumber = true }: ValidRecord): Members {
  const known = hasNumber ? old['reference'] : undefined;
  return {
    ...old,
    ...fresh,
    ...(fresh['goodWith'] !== undefined && {
      goodWith: { ...(old['goodWith'] as Members | undefined), ...(fresh['goodWith'] as Members) },
    }),
    reference: fresh['reference'] ?? known ?? reference,
  };
}
