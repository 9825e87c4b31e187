import { create } from './dom.js';
import { FILTERS, openValues } from './filters.js';
import { LANGUAGES } from './languages.js';

const labelOf = (name, words) => words[name] ?? words.age;

/**
 * A form of native controls in which a visitor chooses.
 *
 * @param names the filters to show. @param fixed values of the page by name. @param choices pairs of value and word of the
 * filter `species`. @param onChoice called after each choice with the values by name
 */
export function createFilterForm({ names, fixed, choices, chosen, language, onChoice }) {
  const words = LANGUAGES[language];
  const controls = names.map((name) => {
    const filter = FILTERS[name];
    if (name === 'text')
      return create(
        'label',
        {},
        words.text,
        create('input', { type: 'search', name, maxlength: 255, value: chosen.text }),
      );
    // What the page fixes is not open to choice.
    if (name === 'species' && fixed.species !== undefined) return undefined;
    const options =
      name === 'species' ? choices : openValues(filter, fixed[name]).map((value) => [value, words[value]]);
    if (options.length < (filter.isAll ? 1 : 2)) return undefined;
    const now = (chosen[name] ?? '').split(',');
    if (filter.isAll) {
      const boxes = options.map(([value, word]) => {
        const box = create('input', { type: 'checkbox', name, value, checked: now.includes(value) });
        return create('label', {}, box, ` ${word}`);
      });
      return create('fieldset', {}, create('legend', {}, labelOf(name, words)), ...boxes);
    }
    const all = [['', words.any], ...options].map(([value, word]) =>
      create('option', { value, selected: now.includes(value) }, word),
    );
    return create('label', {}, labelOf(name, words), create('select', { name }, ...all));
  });
  const read = () => {
    const data = new FormData(form);
    return Object.fromEntries(names.map((name) => [name, data.getAll(name).join(',') || undefined]));
  };
  const form = create(
    'form',
    {
      part: 'filters',
      role: 'search',
      'aria-label': words.find,
      change: () => onChoice(read()),
      submit: (event) => event.preventDefault(),
    },
    ...controls,
  );
  return form;
}
