import { isSafe, linkTo, urlOf } from './dom.js';
import { choicesOf, FILTERS, FIXED, isAllowed } from './filters.js';

/** What each attribute may be, for people and as a test. */
export const ATTRIBUTES = {
  'api-key': ['a publishable key', (text) => /^pet_pub_(live|test)_[0-9A-Za-z]{44}$/.test(text)],
  service: ['the address of the service', (text) => /^https?:$/.test(urlOf(text)?.protocol)],
  category: ['the id of a category', (text) => /^[1-9]\d{0,18}$/.test(text) && BigInt(text) < 2n ** 63n],
  status: ['available, pending or sold', (text) => /^(available|pending|sold)$/.test(text)],
  limit: ['1 to 100', (text) => /^([1-9]\d?|100)$/.test(text)],
  link: ['an https: address with {id}', (text) => isSafe(linkTo(text, 1))],
  lang: ['', () => true],
  details: ['', () => true],
  address: ['none, or absent', (text) => text === 'none'],
  refresh: [
    '0, or 15 to 3600',
    (text) => /^\d{1,4}$/.test(text) && (text >= 15 || Number(text) === 0) && text <= 3600,
  ],
  filters: [
    `some of ${Object.keys(FILTERS).join(' ')}; species needs species-choices`,
    (text, { species, 'species-choices': choices }) =>
      namesOf(text).every((name) => name in FILTERS) &&
      (!namesOf(text).includes('species') || species !== undefined || choices !== undefined),
  ],
  'species-choices': ['dog=Dog,cat=Cat', (text) => choicesOf(text) !== undefined],
  ...Object.fromEntries(
    Object.entries(FIXED).map(([name, filter]) => [
      name,
      [filter.values?.join(', ') ?? 'a text', (text) => isAllowed(filter, text)],
    ]),
  ),
};

/** Attributes of every element, and those that programs of a page add. */
const OF_OTHERS =
  /^(id|class|style|slot|hidden|title|dir|role|part|tabindex|inert|is|on\w*|(aria|data|ng|v|x)-.*)$|[^a-z-]/;

/** The words of a list with blanks between them, each once. */
export const namesOf = (text = '') => [...new Set(text.split(/\s+/).filter(Boolean))];

/** The attributes of an element by name, without blanks around them. */
export function valuesOf(element) {
  const given = Object.keys(ATTRIBUTES).filter((name) => element.hasAttribute(name));
  return Object.fromEntries(given.map((name) => [name, element.getAttribute(name).trim()]));
}

/** What is wrong with attributes, a sentence for each. */
export function problemsOf(values) {
  return Object.entries(ATTRIBUTES)
    .filter(([name, [, isRight]]) =>
      values[name] === undefined ? name === 'api-key' : !isRight(values[name], values),
    )
    .map(([name, [what]]) => `<adoptable-animals>: the attribute ${name} has to be ${what}.`);
}

/** Names of attributes that the element does not know, and that nobody else is known to add. */
export function unknownOf(element) {
  return element.getAttributeNames().filter((name) => !(name in ATTRIBUTES) && !OF_OTHERS.test(name));
}
