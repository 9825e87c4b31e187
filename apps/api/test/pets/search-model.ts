/*
 * What searches find, by docs/contract.md alone: nothing of the product is used here.
 */

/** An animal as its shelter has said it. */
export interface ModelPet {
  name: string;
  categoryId: number;
  status: string;
  profile: Readonly<Record<string, unknown>>;
}

/** Parameters of a search by name; a list is its values. */
export type ModelSearch = Readonly<Record<string, string | readonly string[] | boolean | number | undefined>>;

/** What was made of a text: there are few, and each is compared thousands of times. */
function once<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text) ?? make(text);
    made.set(text, known);
    return known;
  };
}

/** The form in which two texts that differ in case alone are equal. */
export const folded = once((text) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim(),
);

export const words = once((text): readonly string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => Array.from(word).slice(0, 255).join('')),
);

const LISTS: Readonly<Record<string, string>> = { breed: 'breeds', color: 'colors' };

/** Whether a search finds an animal. */
export function finds(search: ModelSearch, { name, categoryId, status, profile }: ModelPet): boolean {
  return Object.entries(search).every(([parameter, wanted]) => {
    if (wanted === undefined) return true;
    switch (parameter) {
      case 'status':
        return status === wanted;
      case 'categoryId':
        return categoryId === wanted;
      case 'name':
        return words(String(wanted)).every((word) => words(name).includes(word));
      case 'text':
        return words(String(wanted)).every((word) =>
          words((profile['description'] ?? '') as string).some((each) => each.startsWith(word)),
        );
      case 'goodWith':
        return (wanted as readonly string[]).every(
          (whom) => (profile['goodWith'] as Record<string, unknown> | undefined)?.[whom] === true,
        );
      case 'species':
      case 'breed':
      case 'color':
      case 'location':
      case 'reference':
        return [profile[LISTS[parameter] ?? parameter] ?? []]
          .flat()
          .some((value) => folded(value as string) === folded(wanted as string));
      default:
        return Array.isArray(wanted) ? wanted.includes(profile[parameter]) : profile[parameter] === wanted;
    }
  });
}
