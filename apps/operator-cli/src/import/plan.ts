import { type DescribedSourcePet, PetSourceRepository, type Transaction } from '@petstore/persistence';
import {
  type CategoryId,
  CategoryName,
  foldedText,
  InvalidProfileError,
  type Members,
  type NewPet,
  type Pet,
  PetProfile,
  PetStatus,
  type PreviousPet,
} from '@petstore/pet-domain';
import type { AnimalsFile } from './animals-file.js';
import { Categories } from './categories.js';
import type { CheckedRecord, Problem } from './check-record.js';
import type { ImportOptions } from './import.options.js';

/** A new animal. */
export interface Addition {
  readonly reference: string | undefined;
  readonly pet: NewPet;
  readonly profile: PetProfile;
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
  /** `gone` and `skipped` are not for adoption (any more), and known and new. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused' | 'gone' | 'skipped';
  /** What is to be written, if anything is. */
  readonly addition?: Addition;
  readonly change?: Change;
  /** An order keeps it from the status of the file. */
  readonly isHeld?: boolean;
  /** Why it is refused, or what is not as the file has it. */
  readonly problems: readonly Problem[];
}

export const refused = (...problems: readonly Problem[]): Decision => ({ outcome: 'refused', problems });

/** The status that a known animal is to have, and what is to be said of it. */
interface StatusChoice extends Pick<Decision, 'isHeld' | 'problems'> {
  readonly status: PetStatus;
}

/** Compares records of a file with the animals that there are, in either reading of the file. */
export class Plan {
  /** Categories that are known, by the keys of their names. */
  private readonly categories = new Map<string, CategoryId>();

  constructor(
    readonly file: AnimalsFile,
    readonly options: ImportOptions,
  ) {}

  /**
   * Decides on some records. Known animals are changed by this, but not saved.
   *
   * @param isWritten whether this transaction writes what is decided: nobody else changes the animals until its end, and
   *   categories that are to be made are made
   */
  async decide(
    tx: Transaction,
    records: readonly CheckedRecord[],
    isWritten: boolean,
  ): Promise<ReadonlyMap<CheckedRecord, Decision>> {
    const known = await this.knownOf(tx, records, isWritten);
    const categories = new Categories(tx, this.categories, isWritten && this.options.createCategories);
    const decisions = new Map<CheckedRecord, Decision>();
    for (const record of records)
      decisions.set(
        record,
        await this.decideOn(record, known.get(record.reference ?? ''), categories, isWritten),
      );
    return decisions;
  }

  private async knownOf(
    tx: Transaction,
    records: readonly CheckedRecord[],
    isWritten: boolean,
  ): Promise<ReadonlyMap<string, DescribedSourcePet>> {
    const { source } = this.options;
    if (source === undefined) return new Map();
    const sources = tx.of(PetSourceRepository);
    const references = records.flatMap(({ reference }) => reference ?? []);
    return isWritten ? sources.lock(source, references) : sources.find(source, references);
  }

  private async decideOn(
    record: CheckedRecord,
    known: DescribedSourcePet | undefined,
    categories: Categories,
    isWritten: boolean,
  ): Promise<Decision> {
    const { reference, problems, lacking, isGone } = record;
    if (isGone && reference !== undefined)
      return { outcome: known === undefined ? 'skipped' : 'gone', problems: [] };
    const wrong = known === undefined ? [...lacking, ...problems] : problems;
    if (wrong.length > 0) return refused(...wrong);
    if (reference === undefined && this.options.source !== undefined)
      return refused({ field: this.file.fieldOf('reference'), reason: NO_REFERENCE });
    try {
      return known === undefined
        ? await this.add(record, categories, isWritten)
        : this.compare(record, known);
    } catch (error) {
      // Each member is right, and all of them together are too long.
      if (error instanceof InvalidProfileError) return refused({ field: error.path, reason: error.problem });
      throw error;
    }
  }

  /** @throws {InvalidProfileError} */
  private async add(record: CheckedRecord, categories: Categories, isWritten: boolean): Promise<Decision> {
    const { name, status = PetStatus.DEFAULT, members } = record;
    const { species } = members;
    const reference = this.options.source === undefined ? undefined : record.reference;
    const described = merged({}, members, { ...record, reference });
    const isWhole = described['reference'] === members['reference'];
    const profile = isWhole ? record.profile : PetProfile.of(described);
    const named =
      this.file.isForeign && typeof species === 'string' ? CategoryName.parse(species) : undefined;
    const categoryId = this.givenCategory(record) ?? (named && (await categories.idOf(named)));
    if (categoryId !== undefined && name !== undefined) {
      const addition = { reference, pet: { name, status, categoryId }, profile };
      return { outcome: 'created', addition, problems: [] };
    }
    // The reading that writes makes it.
    if (named !== undefined && this.options.createCategories && !isWritten)
      return { outcome: 'created', problems: [] };
    return refused({ reason: noCategory(species) });
  }

  /** @throws {InvalidProfileError} */
  private compare(record: CheckedRecord, known: DescribedSourcePet): Decision {
    const { pet, reservation } = known;
    const old = JSON.parse(known.profile) as Members;
    const fresh = record.members;
    const isAnother = differs(fresh['species'], old['species']) && differs(record.name, pet.name);
    if (isAnother && !this.options.force) return refused({ reason: ANOTHER });
    const described = PetProfile.of(merged(isAnother ? {} : old, fresh, record));
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
    { status }: CheckedRecord,
    { pet, reservation, soldFrom }: DescribedSourcePet,
  ): StatusChoice {
    if (status === pet.status) return { status, problems: [] };
    const stays = (reason: string): Problem[] => [{ reason: `${reason}: it stays ${pet.status}.` }];
    if (reservation !== undefined)
      return { status: pet.status, isHeld: true, problems: stays('An order holds the animal') };
    if (pet.status !== 'sold') return { status: status ?? pet.status, problems: [] };
    // The shelter has it again, and had never said otherwise.
    if (soldFrom !== undefined) return { status: status ?? soldFrom, problems: [] };
    if (status !== undefined && this.options.reopen) return { status, problems: [] };
    const shown =
      status === undefined ? 'shows it without a status' : `has it as ${status}, without --reopen`;
    return { status: pet.status, problems: stays(`The file ${shown}`) };
  }

  /** The category of a new animal that the record itself or an option says. */
  private givenCategory({ categoryId, members: { species } }: CheckedRecord): CategoryId | undefined {
    if (!this.file.isForeign) return categoryId;
    return typeof species === 'string' ? this.options.category.get(foldedText(species)) : undefined;
  }
}

const NO_REFERENCE = 'is missing: with --source each record needs one';
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

/**
 * Members that the record has replace those that there were; of `goodWith`, each by itself. An animal without a number of
 * the shelter has its reference there.
 */
function merged(
  old: Members,
  fresh: Members,
  { reference, hasNumber = true }: Pick<CheckedRecord, 'reference' | 'hasNumber'>,
): Members {
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
