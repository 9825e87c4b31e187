import type { KnownPet, SourceImport, StagedRecord } from '@petstore/persistence';
import {
  type CategoryId,
  CategoryName,
  type Day,
  foldedText,
  type InvalidProfileError,
  PetStatus,
} from '@petstore/pet-domain';
import type { ImportOptions } from './import.options.js';
import { type Members, type Problem, profileOf, type ValidRecord } from './validate-record.js';

/** What is to become of an animal of a file. */
export interface Decision {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused';
  /** Of what is created and updated. */
  readonly change?: StagedRecord;
  /** An order keeps it from the status of the file. */
  readonly isHeld?: boolean;
  /** Why it is refused, or what is not as the file has it. */
  readonly problems: readonly Problem[];
}

export const refused = (problems: readonly Problem[]): Decision => ({ outcome: 'refused', problems });

type CategoryChoice = Pick<StagedRecord, 'categoryId' | 'categoryName'>;

/** Compares records of a file with the animals that there are. */
export class Plan {
  /** By the key of their name; one that is to be made has none yet. */
  private readonly categories = new Map<string, CategoryChoice>();

  constructor(
    private readonly source: Pick<SourceImport, 'categoryNamed'>,
    private readonly options: ImportOptions,
    /** Whether a new animal has the category of its species, and none of its own. */
    private readonly isOfSpecies: boolean,
    private readonly latestBirth: Day,
  ) {}

  async decide(record: ValidRecord, known: KnownPet | undefined): Promise<Decision> {
    return known === undefined ? this.add(record) : this.compare(record, known);
  }

  private async add(record: ValidRecord): Promise<Decision> {
    const { reference, name, status, categoryId } = record;
    const members = JSON.parse(record.profile) as Members;
    const { species } = members;
    const category = this.isOfSpecies ? await this.categoryOf(species) : { categoryId };
    if (category === undefined) return refused([{ reason: noCategory(species) }]);
    if (name === undefined) return refused([{ field: 'name', reason: 'is missing: a new animal needs one' }]);
    const profile = profileOf(merged({}, members, record), this.latestBirth);
    if (typeof profile !== 'string') return refused(problemsOf(profile));
    const pet = { name, status: status ?? PetStatus.DEFAULT, profile, ...category };
    return { outcome: 'created', change: { kind: 'created', reference, ...pet }, problems: [] };
  }

  private compare(record: ValidRecord, known: KnownPet): Decision {
    const { reference, name = known.name } = record;
    const old = JSON.parse(known.profile) as Members;
    const fresh = JSON.parse(record.profile) as Members;
    const isAnother = differs(fresh['species'], old['species']) && differs(record.name, known.name);
    if (isAnother && !this.options.force) return refused([{ reason: ANOTHER }]);
    const profile = profileOf(merged(isAnother ? {} : old, fresh, record), this.latestBirth);
    if (typeof profile !== 'string') return refused(problemsOf(profile));
    const { status, ...kept } = this.statusOf(record, known);
    const isDescribed = profile !== known.profile;
    if (name === known.name && status === known.status && !isDescribed)
      return { outcome: 'unchanged', ...kept };
    const { id, categoryId, name: oldName, status: oldStatus, version } = known;
    const pet = { id, categoryId, name, status, profile, isDescribed, oldName, oldStatus, version };
    const change = { kind: 'updated', reference, ...pet, record: JSON.stringify(record) } as const;
    return { outcome: 'updated', change, ...kept };
  }

  private statusOf(
    { status }: ValidRecord,
    known: KnownPet,
  ): Pick<Decision, 'isHeld' | 'problems'> & { readonly status: PetStatus } {
    if (status === known.status) return { status, problems: [] };
    const stays = (reason: string): Problem[] => [{ reason: `${reason}: it stays ${known.status}.` }];
    if (known.isHeld)
      return { status: known.status, isHeld: true, problems: stays('An order holds the animal') };
    if (known.status === 'sold' && (status === undefined || !this.options.reopen)) {
      const shown =
        status === undefined ? 'shows it without a status' : `has it as ${status}, without --reopen`;
      return { status: known.status, problems: stays(`The file ${shown}`) };
    }
    return { status: status ?? known.status, problems: [] };
  }

  /** @returns what is `undefined` when there is no way to one */
  private async categoryOf(species: unknown): Promise<CategoryChoice | undefined> {
    const name = typeof species === 'string' ? CategoryName.parse(species) : undefined;
    if (name === undefined) return undefined;
    const given: CategoryId | undefined = this.options.category.get(foldedText(name));
    if (given !== undefined) return { categoryId: given };
    const key = CategoryName.keyOf(name);
    const found = this.categories.get(key);
    if (found !== undefined) return found;
    const categoryId = await this.source.categoryNamed(name);
    if (categoryId === undefined && !this.options.createCategories) return undefined;
    const category = categoryId === undefined ? { categoryName: name } : { categoryId };
    this.categories.set(key, category);
    return category;
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
