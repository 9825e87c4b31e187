import { FreeText } from './free-text.js';
import { HttpsUrl } from './https-url.js';
import { InvalidProfileError, PetProfile } from './pet-profile.js';
import { described, type Value } from './value.js';
import { listOf, text } from './values.js';

/*
 * A profile whose members stand beside one another, as the columns of a file and the arguments of a tool: `goodWith.dogs`
 * is `goodWithDogs`, and `photos` are URLs whose descriptions are another list.
 */

type Members = Readonly<Record<string, unknown>>;

/** A member of a flat profile. */
export interface FlatField {
  readonly name: string;
  readonly value: Value<unknown>;
  /** The member of the profile. */
  readonly member: string;
  /** The member of that one, where it is an object. */
  readonly part?: string;
}

const URLS = listOf(HttpsUrl, { most: PetProfile.MAX_PHOTOS, description: 'a list of URLs' });
const TEXT_OR_NONE = text({
  kind: 'text',
  description: FreeText.description,
  parse: (sent) => (sent === '' ? sent : FreeText.parse(sent)),
  schema: { maxLength: FreeText.MAX_CODE_POINTS },
});
const DESCRIPTIONS = described(
  listOf(TEXT_OR_NONE, {
    most: PetProfile.MAX_PHOTOS,
    description: 'a list of texts, in the order of photos',
  }),
  'What the photos show, in their order, for people who do not see them; "" for none.',
);

/** All members of a flat profile, in the declared order. */
export const FLAT_FIELDS: readonly FlatField[] = PetProfile.MEMBERS.flatMap(
  (member): readonly FlatField[] => {
    const value: Value<unknown> = PetProfile.FIELDS[member];
    const { description = '' } = value.schema;
    if (member === 'photos')
      return [
        { name: member, member, value: described(URLS, description) },
        { name: 'photoDescriptions', member: 'photoDescriptions', value: DESCRIPTIONS },
      ];
    if (value.members === undefined) return [{ name: member, member, value }];
    return Object.entries(value.members).map(([part, inner]) => {
      const name = `${member}${part.charAt(0).toUpperCase()}${part.slice(1)}`;
      return { name, member, part, value: described(inner, inner.schema.description ?? description) };
    });
  },
);

/** By the member of the profile: the names of its parts. */
const PARTS = new Map<string, readonly (readonly [part: string, name: string])[]>();
for (const { member, part, name } of FLAT_FIELDS)
  if (part !== undefined) PARTS.set(member, [...(PARTS.get(member) ?? []), [part, name]]);

interface Photo {
  readonly url: string;
  readonly description?: string;
}

/** Tells each member that a flat profile has. @param profile as the contract has it */
export function flatten(profile: Members, tell: (name: string, value: unknown) => void): void {
  for (const member in profile) {
    const value = profile[member];
    const parts = PARTS.get(member);
    if (parts !== undefined) {
      for (const [part, name] of parts) if (part in (value as Members)) tell(name, (value as Members)[part]);
    } else if (member === 'photos') {
      const photos = value as readonly Photo[];
      tell(
        'photos',
        photos.map(({ url }) => url),
      );
      if (photos.some(({ description }) => description !== undefined))
        tell(
          'photoDescriptions',
          photos.map(({ description = '' }) => description),
        );
    } else tell(member, value);
  }
}

/**
 * The profile of which this is the flat form; unchecked, but for the descriptions of photos.
 *
 * @param given the value of a flat member, `undefined` for one that there is not
 * @throws {InvalidProfileError} whose path is in the flat form
 */
export function unflatten(given: (name: string) => unknown): Members {
  const profile: Record<string, unknown> = {};
  for (const { name, member, part } of FLAT_FIELDS) {
    const value = given(name);
    if (value === undefined) continue;
    profile[member] = part === undefined ? value : { ...(profile[member] as Members), [part]: value };
  }
  const { photos, photoDescriptions: descriptions, ...others } = profile;
  // What is no list stays as it is, for the rules to refuse.
  if (photos !== undefined && !Array.isArray(photos)) return profile;
  const texts = descriptionsOf(descriptions, photos?.length ?? 0);
  return {
    ...others,
    photos: photos?.map((url: unknown, at) => ({
      url,
      description: texts[at] === '' ? undefined : texts[at],
    })),
  };
}

function descriptionsOf(sent: unknown = [], most: number): readonly string[] {
  const refuse = (problem: string): never => {
    throw new InvalidProfileError('photoDescriptions', problem);
  };
  if (!Array.isArray(sent) || !sent.every((each) => typeof each === 'string'))
    return refuse('must be a list of texts, in the order of photos');
  return sent.length > most ? refuse('must not have more items than photos') : sent;
}

/** Where a member is in the flat form: `photos[3].description` is `photoDescriptions[3]`. */
export function flatPath(path: string): string {
  return path
    .replace(/^photos(.*)\.description$/, 'photoDescriptions$1')
    .replace(/\.url$/, '')
    .replace(/\.([a-z])/, (_dot, first: string) => first.toUpperCase());
}
