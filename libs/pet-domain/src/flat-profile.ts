import { FreeText } from './free-text.js';
import { HttpsUrl } from './https-url.js';
import { PetProfile } from './pet-profile.js';
import { described, type Members, type Refuse, type Value } from './value.js';
import { listOf, text } from './values.js';

/*
 * A profile whose members stand beside one another, as the columns of a file and the arguments of a tool: `goodWith.dogs`
 * is `goodWithDogs`, and `photos` are URLs whose descriptions are another list.
 */

/** Members that are being put together. */
type Draft = Record<string, unknown>;

/** A member of a flat profile. */
interface FlatField {
  readonly name: string;
  readonly value: Value<unknown>;
  /** Its value in a profile; `undefined` where there is none. */
  readonly of: (profile: Members) => unknown;
  readonly addTo: (profile: Draft, value: unknown, refuse: Refuse) => void;
}

/** A member as it is. */
const whole = (member: string, value: Value<unknown>): FlatField => ({
  name: member,
  value,
  of: (profile) => profile[member],
  addTo: (profile, given) => {
    profile[member] = given;
  },
});

/** A member of an object. @param meaning of the object, for a member that has none of its own */
const part = (member: string, name: string, value: Value<unknown>, meaning: string): FlatField => ({
  name: `${member}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  value: described(value, value.schema.description ?? meaning),
  of: (profile) => (profile[member] as Members | undefined)?.[name],
  addTo: (profile, given) => {
    profile[member] = { ...(profile[member] as Members | undefined), [name]: given };
  },
});

interface Photo {
  readonly url: string;
  readonly description?: string;
}

const photosOf = (profile: Members) => profile['photos'] as readonly Photo[] | undefined;

/** The addresses of the photos. */
const urls = (meaning: string): FlatField => ({
  name: 'photos',
  value: described(listOf(HttpsUrl, { most: PetProfile.MAX_PHOTOS, description: 'a list of URLs' }), meaning),
  of: (profile) => photosOf(profile)?.map(({ url }) => url),
  addTo: (profile, given) => {
    profile['photos'] = (given as readonly string[]).map((url) => ({ url }));
  },
});

const TEXT_OR_NONE = text({
  kind: 'text',
  description: FreeText.description,
  parse: (sent) => (sent === '' ? sent : FreeText.parse(sent)),
  schema: { maxLength: FreeText.MAX_CODE_POINTS },
});

/** What photos show, behind their addresses. */
const DESCRIPTIONS: FlatField = {
  name: 'photoDescriptions',
  value: described(
    listOf(TEXT_OR_NONE, {
      most: PetProfile.MAX_PHOTOS,
      description: 'a list of texts, in the order of photos',
    }),
    'What the photos show, in their order, for people who do not see them; "" for none.',
  ),
  of: (profile) => {
    const texts = photosOf(profile)?.map(({ description = '' }) => description);
    return texts?.some((each) => each !== '') === true ? texts : undefined;
  },
  addTo: (profile, given, refuse) => {
    const texts = given as readonly string[];
    const photos = photosOf(profile) ?? [];
    if (texts.length > photos.length) refuse('photoDescriptions', 'must not have more items than photos');
    else
      profile['photos'] = photos.map((photo, at) =>
        texts[at] === undefined || texts[at] === '' ? photo : { ...photo, description: texts[at] },
      );
  },
};

/** All members of a flat profile, in the declared order. */
export const FLAT_FIELDS: readonly FlatField[] = PetProfile.MEMBERS.flatMap((member) => {
  const value: Value<unknown> = PetProfile.FIELDS[member];
  const { description = '' } = value.schema;
  if (member === 'photos') return [urls(description), DESCRIPTIONS];
  if (value.members === undefined) return [whole(member, value)];
  return Object.entries(value.members).map(([name, inner]) => part(member, name, inner, description));
});

/** The flat form of a profile. */
export function flatten(profile: Members): Members {
  const flat: Draft = {};
  for (const { name, of } of FLAT_FIELDS) {
    const value = of(profile);
    if (value !== undefined) flat[name] = value;
  }
  return flat;
}

/**
 * The profile of which this is the flat form; unchecked, but for the descriptions of photos. Other members are passed over.
 *
 * @param refuse is told a path in the flat form
 */
export function unflatten(flat: Members, refuse: Refuse): Members {
  const profile: Draft = {};
  for (const { name, addTo } of FLAT_FIELDS) if (flat[name] !== undefined) addTo(profile, flat[name], refuse);
  return profile;
}

/** Where a member is in the flat form: `photos[3].description` is `photoDescriptions[3]`. */
export function flatPath(path: string): string {
  return path
    .replace(/^photos(.*)\.description$/, 'photoDescriptions$1')
    .replace(/\.url$/, '')
    .replace(/\.([a-z])/, (_dot, first: string) => first.toUpperCase());
}
