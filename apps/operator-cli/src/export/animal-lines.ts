import { type Animal, csvText, rowOf, type WriteOptions, type Writing } from '@petstore/portal-formats';
import type { ExportedPet } from '@petstore/persistence';
import { INCLUDED_FIELDS, jsonTextOf, NEW_PET_FIELDS, type NewPet, PetProfile } from '@petstore/pet-domain';
import type { ListedBefore } from './listed-before.js';

/** An animal in a file of NDJSON. */
interface DescribedBody extends NewPet {
  readonly profile?: PetProfile | undefined;
}

/** What an animal has become in a file. */
interface LeftOutAnimal {
  readonly id: string;
  readonly reason: string;
}

/** What came of an export. */
export interface ExportResult {
  written: number;
  readonly leftOut: LeftOutAnimal[];
  readonly shortened: LeftOutAnimal[];
  /** How often each further loss happened. */
  readonly notes: Record<string, number>;
}

/** Makes the text of a file, some animals at a time, and keeps account of what is lost. */
export class AnimalLines {
  readonly result: ExportResult = { written: 0, leftOut: [], shortened: [], notes: {} };

  constructor(
    private readonly writing: Writing,
    private readonly options: WriteOptions,
    private readonly isNdjson: boolean,
    private readonly before: ListedBefore,
  ) {}

  get header(): string {
    const { columns, hasHeader } = this.writing;
    return hasHeader && !this.isNdjson ? csvText([columns]) : '';
  }

  of(pets: readonly ExportedPet[]): string {
    if (!this.isNdjson) return csvText(pets.flatMap((pet) => this.rowOf(pet)));
    for (const { id } of pets) this.count(id);
    return pets.map(jsonLineOf).join('');
  }

  private count(id: string): void {
    this.result.written++;
    this.before.written(id);
  }

  /** No row for an animal that is left out. */
  private rowOf({ profile, ...pet }: ExportedPet): (readonly string[])[] {
    const { result, writing } = this;
    const { id, status } = pet;
    const animal: Animal = { ...pet, profile: JSON.parse(profile) as Animal['profile'] };
    const isKept = status === 'pending' && !writing.takesPending;
    const written = isKept ? { leftOut: 'it is pending' } : writing.write(animal, this.options);
    if ('leftOut' in written) {
      result.leftOut.push({ id, reason: written.leftOut });
      return [];
    }
    this.count(id);
    for (const reason of written.shortened ?? []) result.shortened.push({ id, reason });
    for (const note of written.notes ?? []) result.notes[note] = (result.notes[note] ?? 0) + 1;
    return [rowOf(writing, written.cells)];
  }
}

/** The body of a creation, with the profile if there is one. */
const bodyOf = jsonTextOf<DescribedBody>({ ...NEW_PET_FIELDS, profile: INCLUDED_FIELDS.profile });

function jsonLineOf({ profile, ...pet }: ExportedPet): string {
  return `${bodyOf(profile === PetProfile.EMPTY ? pet : { ...pet, profile })}\n`;
}
