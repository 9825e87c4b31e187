/** What portals tell of an animal beside its name and status; a member that is absent is unknown. */
export interface Profile {
  readonly species?: string | undefined;
  /** The main breed first. */
  readonly breeds?: readonly string[] | undefined;
  readonly mixedBreed?: boolean | undefined;
  /** `baby`, `young`, `adult` or `senior`. */
  readonly ageGroup?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly bornOn?: string | undefined;
  /** `female` or `male`. */
  readonly sex?: string | undefined;
  /** `small`, `medium`, `large` or `xlarge`. */
  readonly size?: string | undefined;
  /** `hairless`, `short`, `medium`, `long`, `wire` or `curly`. */
  readonly coat?: string | undefined;
  readonly colors?: readonly string[] | undefined;
  /** Plain text, whose lines end with a line feed. */
  readonly description?: string | undefined;
  readonly goodWith?: GoodWith | undefined;
  readonly spayedNeutered?: boolean | undefined;
  readonly houseTrained?: boolean | undefined;
  readonly vaccinated?: boolean | undefined;
  readonly specialNeeds?: boolean | undefined;
  readonly adoptionFee?: Fee | undefined;
  readonly location?: string | undefined;
  /** The shelter's own name for the animal. */
  readonly reference?: string | undefined;
  readonly page?: string | undefined;
  readonly photos?: readonly Photo[] | undefined;
}

export interface GoodWith {
  readonly children?: boolean | undefined;
  readonly dogs?: boolean | undefined;
  readonly cats?: boolean | undefined;
}

export interface Fee {
  /** Decimal digits, such as `120.00`. */
  readonly amount?: string | undefined;
  /** ISO 4217, such as `EUR`. */
  readonly currency?: string | undefined;
}

export interface Photo {
  readonly url: string;
  readonly description?: string | undefined;
}

/** An animal of a file; `gone` is one that is not for adoption (any more): deceased, transferred, stray. */
export type RecordStatus = 'available' | 'pending' | 'sold' | 'gone';

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
  /** A `RecordStatus` but in the format `petstore`, where it is the cell's text. */
  readonly status?: string | undefined;
  /** Of the format `petstore` only: the cell's text. */
  readonly categoryId?: string | undefined;
  readonly profile: Profile;
  readonly problems: readonly Problem[];
  /** Whether it was cut, so that nobody knows which animal it is of. */
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
