import type { ProfileMembers } from '@petstore/pet-domain';

/** A value of a file: its rule is known, and not checked here. */
type Unchecked<T> = T extends string ? string : { readonly [Name in keyof T]: Unchecked<T[Name]> };

/** What portals tell of an animal beside its name and status, as in a profile; a member that is absent is unknown. */
export type Profile = Unchecked<ProfileMembers>;

export type Photo = NonNullable<Profile['photos']>[number];

/** Why a cell cannot be read. */
export interface Problem {
  /** As the file's header names it, or the format if it does not; `undefined` when it is the record. */
  readonly column?: string;
  /** What is expected: "must be ..."; else a sentence. */
  readonly reason: string;
}

/** An animal as a file has it: what is absent was blank or has no column. */
export interface AnimalRecord {
  /** On which it begins. */
  readonly line: number;
  /** By which its source knows the animal; `profile.reference` is a number of the shelter beside, if there is one. */
  readonly reference?: string | undefined;
  /** Whether the file has a column for that number: without one, the reference is it. */
  readonly hasNumber?: boolean;
  readonly name?: string | undefined;
  /**
   * `available`, `pending`, `sold`, or `gone` for one that is not for adoption (any more): deceased, transferred, stray. In
   * the format `petstore` the cell's text.
   */
  readonly status?: string | undefined;
  /** Of the format `petstore` only: the cell's text. */
  readonly categoryId?: string | undefined;
  readonly profile: Profile;
  readonly problems: readonly Problem[];
  /** Whether it cannot be read at all, so that nobody knows which animal it is of. */
  readonly isUnread?: boolean;
  /** Photos that were left out: their address does not begin with `https://`, or there are too many. */
  readonly photosLeftOut: number;
  /** Texts of it that are too long and were cut. */
  readonly shortened: number;
}

/** An animal to be written. */
export interface Animal {
  /** By which portals know it; it never changes. */
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly categoryId: string;
  readonly profile: Profile;
}
