import { type NewPet, PET_SEARCH, type PetFilter, PetProfile, PetStatus } from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import { categoryOf, nameOf } from './pet-actions.js';

/*
 * Animals that are mixed as in life: many dogs and cats and few newts, frequent and rare words, of which half of nothing is
 * known, and most of which are sold.
 */

/** The same numbers from 0 to 1 at each run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SPECIES = ['dog', 'cat', 'rabbit', 'bird', 'horse', 'newt'] as const;
const COLORS = ['black', 'white', 'brown', 'grey', 'orange'] as const;
const WORDS = Array.from(
  { length: 5_000 },
  (_, n) => `${(n * 7_919).toString(36).replace(/[0-9]/g, 'e')}${n % 7}`,
);
const WHOM = ['children', 'dogs', 'cats'] as const;
const { sex, ageGroup, size, coat } = PetProfile.FIELDS;
const ENUMS = { sex: sex.ALL, ageGroup: ageGroup.ALL, size: size.ALL, coat: coat.ALL } as const;
const FLAGS = ['mixedBreed', 'spayedNeutered', 'houseTrained', 'vaccinated', 'specialNeeds'] as const;

export class MixedAnimals {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = randomNumbers(seed);
  }

  /** One of these, the first ones much more often. */
  private often<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() ** 4 * all.length)] as T;
  }

  private any<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)] as T;
  }

  private is(probability: number): boolean {
    return this.random() < probability;
  }

  private entries(probability: number, all: Readonly<Record<string, () => unknown>>): object {
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, make]) => (this.is(probability) ? [[name, make()]] : [])),
    );
  }

  animal(species: string = this.often(SPECIES)): { readonly pet: NewPet; readonly profile: PetProfile } {
    const words = Array.from({ length: 6 + Math.floor(this.random() * 16) }, () => this.often(WORDS));
    const enums = Object.entries(ENUMS).map(([name, all]) => [name, () => this.any<string>(all)] as const);
    const profile = {
      species,
      breeds: [`${species} ${this.often(WORDS)}`],
      ...this.entries(0.8, Object.fromEntries(enums)),
      colors: [this.any(COLORS)],
      description: words.join(' '),
      ...(this.is(0.5) && { goodWith: { [this.any(WHOM)]: this.is(0.8), [this.any(WHOM)]: true } }),
      ...this.entries(0.5, Object.fromEntries(FLAGS.map((name) => [name, () => this.is(0.7)]))),
      location: `Shelter ${this.often(WORDS)}`,
    };
    const pet = {
      name: nameOf(this.often(WORDS)),
      categoryId: categoryOf(1 + Math.floor(this.random() * 40)),
      status: this.is(0.2) ? 'available' : this.any(PetStatus.ALL.slice(1)),
    } as const;
    return { pet, profile: PetProfile.of(profile) };
  }

  /** A search: contradictions, words that nobody uses, everything, several values and a text alone are among them. */
  search(): PetFilter {
    const sets = Object.entries({ ...ENUMS, goodWith: WHOM }).map(([name, all]) => {
      const some = (): readonly string[] => [...new Set([this.any<string>(all), this.any<string>(all)])];
      return [name, some] as const;
    });
    const parsed = (name: keyof typeof PET_SEARCH, text: string): unknown =>
      known<unknown>(PET_SEARCH[name].parse(text));
    return {
      ...(this.is(0.8) && { status: this.any(PetStatus.ALL) }),
      ...(this.is(0.1) && { categoryId: categoryOf(1 + Math.floor(this.random() * 45)) }),
      ...this.entries(0.15, {
        name: () => parsed('name', this.any(WORDS)),
        breed: () => parsed('breed', `${this.any(SPECIES)} ${this.any(WORDS)}`),
        color: () => parsed('color', this.any(COLORS)),
        location: () => parsed('location', `shelter ${this.any(WORDS)}`),
      }),
      ...this.entries(0.25, Object.fromEntries(sets)),
      ...this.entries(0.1, Object.fromEntries(FLAGS.map((name) => [name, () => this.is(0.5)]))),
      ...(this.is(0.35)
        ? {
            text: parsed(
              'text',
              `${this.often(WORDS).slice(0, 3)} ${this.any(WORDS)}`.slice(0, this.any([3, 9])),
            ),
          }
        : { species: parsed('species', this.any([...SPECIES, 'dodo'])) }),
    } as PetFilter;
  }
}
