/**
 * What visitors look for, and what an attribute of the same name fixes: the parameter of the service for it, and what it
 * may be; a text without `values`. With `isAll` an animal needs each of several values, otherwise one of them.
 */
export const FILTERS = {
  species: { parameter: 'species' },
  'age-group': { parameter: 'ageGroup', values: ['baby', 'young', 'adult', 'senior'] },
  size: { parameter: 'size', values: ['small', 'medium', 'large', 'xlarge'] },
  sex: { parameter: 'sex', values: ['female', 'male'] },
  'good-with': { parameter: 'goodWith', values: ['children', 'dogs', 'cats'], isAll: true },
  text: { parameter: 'text', isAll: true },
};

/** What only an attribute can say. */
const FIXED_ONLY = { breed: { parameter: 'breed' }, name: { parameter: 'name' } };

export const FIXED = { ...FILTERS, ...FIXED_ONLY };

const listOf = (text) => text.split(',').map((part) => part.trim());

/** Whether a filter may have this value; the service says more of texts. */
export function isAllowed({ values, parameter }, text) {
  if (values !== undefined) {
    const parts = listOf(text);
    return new Set(parts).size === parts.length && parts.every((part) => values.includes(part));
  }
  if (text.trim() === '' || [...text].length > 255) return false;
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu)?.length ?? 0;
  return !['text', 'name'].includes(parameter) || (words > 0 && words <= 10);
}

/** `dog=Hund,cat=Katze` as pairs; `undefined` for what is none. */
export function choicesOf(text) {
  const pairs = listOf(text ?? '').map((pair) => pair.split('='));
  return pairs.every((pair) => pair.length === 2 && pair[0] && pair[1]) ? pairs : undefined;
}

/** The values of a filter that leave something to choose, beside what is fixed. */
export function openValues(filter, fixed) {
  const allowed = fixed === undefined ? [] : listOf(fixed);
  if (filter.isAll) return filter.values.filter((value) => !allowed.includes(value));
  return fixed === undefined ? filter.values : filter.values.filter((value) => allowed.includes(value));
}

/**
 * The parameters of a search: what the page fixes, narrowed by what a visitor has chosen, and never widened.
 *
 * @param fixed and chosen: values by the names of filters
 */
export function searchOf(fixed, chosen) {
  const search = {};
  for (const [name, filter] of Object.entries(FIXED)) {
    const [always, now] = [fixed[name], chosen[name]];
    const { parameter, values, isAll } = filter;
    if (always === undefined && now === undefined) continue;
    if (always === undefined || now === undefined) search[parameter] = always ?? now;
    else if (values === undefined) search[parameter] = isAll ? `${always} ${now}` : always;
    else {
      const [first, second] = [listOf(always), listOf(now)];
      const both = values.filter((value) =>
        isAll
          ? first.includes(value) || second.includes(value)
          : first.includes(value) && second.includes(value),
      );
      search[parameter] = (both.length > 0 ? both : first).join(',');
    }
    if (values !== undefined) search[parameter] = listOf(search[parameter]).join(',');
  }
  return search;
}
