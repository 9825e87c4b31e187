/* global document, MutationObserver, requestAnimationFrame */

/** Controls that Swagger UI leaves without a name, or gives one that is not what they show. */
const NAMES = [
  ['#servers', () => 'Server'],
  ['.parameters-col_description :is(input, select)', (control) => control.closest('tr').dataset.paramName],
  ['.body-param__text', () => 'Request body'],
  ['.examples-select-element', () => 'Example'],
  ['.close-modal', () => 'Close'],
  ['.auth-btn-wrapper .auth', (button) => button.textContent],
];

function nameControls() {
  for (const [selector, nameOf] of NAMES) {
    for (const control of document.querySelectorAll(`#swagger-ui :is(${selector})`)) {
      const name = nameOf(control);
      if (name && control.getAttribute('aria-label') !== name) control.setAttribute('aria-label', name);
    }
  }
  // What scrolls can be scrolled with the keyboard.
  for (const text of document.querySelectorAll('#swagger-ui pre.microlight:not([tabindex])'))
    text.tabIndex = 0;
}

/** Names the controls of an element, also those that come later. */
export function nameControlsIn(element) {
  let isPlanned = false;
  new MutationObserver(() => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      nameControls();
    });
  }).observe(element, { childList: true, subtree: true });
}

/** The path of an operation is text: it stands in the button that opens the operation, where no link may be. */
export const plainPaths = () => ({
  wrapComponents: {
    DeepLink: (Original, { React }) =>
      function DeepLink(props) {
        if (!props.path?.includes('/')) return React.createElement(Original, props);
        return React.createElement('span', { className: 'nostyle' }, props.text);
      },
  },
});
