/* global document, window */

/** An API key, also as it stands in the header field of a request. */
const KEY = /^\s*(?:Bearer\s+)?(pet_(?:live|test)_\w+)\s*$/i;

/** Of which a text is part, in any case. */
const includes = (phrase, texts) => texts.join(' ').toLowerCase().includes(phrase.toLowerCase());

/** Filters operations by their id, path and summary, not only groups by their names. */
const operationFilter = () => ({
  fn: {
    opsFilter: (groups, phrase) =>
      groups
        .map((group, name) =>
          includes(phrase, [name])
            ? group
            : group.update('operations', (operations) =>
                operations.filter((each) =>
                  includes(phrase, [
                    each.get('path'),
                    ...['operationId', 'summary'].map((member) => each.getIn(['operation', member])),
                  ]),
                ),
              ),
        )
        .filter((group) => group.get('operations').size > 0),
  },
});

/** Takes a key as it was copied, and says of anything else that it is none: it is not sent. */
const keyForm = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize:
          (original, { errActions }) =>
          (payload) => {
            const [[authId, given]] = Object.entries(payload);
            const [, value] = KEY.exec(given.value) ?? [];
            errActions.clear({ authId, type: 'auth', source: 'auth' });
            if (value !== undefined) return original({ [authId]: { ...given, value } });
            const message = 'This is not an API key: one begins with pet_live_ or pet_test_.';
            return errActions.newAuthErr({ authId, level: 'error', source: 'auth', message });
          },
      },
    },
  },
});

/** The range of a number in words. The description is where every reader looks, and where digits are exact. */
function rangeOf({ minimum, maximum, items }) {
  if (items !== undefined) return rangeOf(items);
  return minimum === undefined || maximum === undefined ? '' : ` From ${minimum} to ${maximum}.`;
}

/** A parameter as it is tried: what is optional is not sent unless somebody chooses it, nor is the id of a deletion. */
function asTried(parameter, method) {
  const { schema, description = '', required, in: place } = parameter;
  const isLeftOut = required !== true || (method === 'delete' && place === 'path');
  const { example, default: usual, ...rest } = schema;
  const said = usual === undefined ? '' : ` Unless sent: ${usual}.`;
  return {
    ...parameter,
    description: description + rangeOf(schema) + (isLeftOut ? said : ''),
    schema: isLeftOut ? rest : schema,
  };
}

/** The document as it is tried in the page; what others read of it stays as it is. */
const chosenOnly = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (spec) => {
          for (const item of Object.values(spec.paths ?? {}))
            for (const [method, operation] of Object.entries(item))
              operation.parameters = operation.parameters?.map((each) => asTried(each, method));
          return original(spec);
        },
      },
    },
  },
});

export const tryOut = [operationFilter, keyForm, chosenOnly];

/**
 * Opens what the address names in a tab that is open already, also on the way back. By the state alone: the action of
 * Swagger UI would add a step to the history, and there would be no way back.
 */
export function followAddress(ui) {
  window.addEventListener('hashchange', () => {
    const [, tag, id] = window.location.hash.split('/');
    if (tag === undefined) return;
    const show = (...thing) => {
      ui.getStore().dispatch({ type: 'layout_show', payload: { thing, shown: true } });
      document.getElementById(thing.join('-'))?.scrollIntoView();
    };
    show('operations-tag', tag);
    if (id !== undefined) show('operations', tag, id);
  });
}

/** Keeps the focus in the dialog for the key while it is open; Escape closes it. */
export function keepFocusInDialog() {
  document.addEventListener('keydown', (event) => {
    const dialog = document.querySelector('.dialog-ux .modal-ux');
    if (dialog === null) return;
    if (event.key === 'Escape') dialog.querySelector('.close-modal').click();
    if (event.key !== 'Tab') return;
    const all = [...dialog.querySelectorAll('button, input, a[href]')];
    const [first, last] = [all[0], all.at(-1)];
    const isInside = dialog.contains(document.activeElement);
    const end = event.shiftKey ? first : last;
    if (isInside && document.activeElement !== end) return;
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  });
}
