/* global window */

/**
 * Keeps numbers as they were sent, which JavaScript's numbers cannot: 9007199254740993 would be shown as
 * 9007199254740992, and the bound 9223372036854775807 as 9223372036854776000.
 *
 * In JSON that arrives, a number whose text would change is replaced by a stand-in: a number that nobody sends, which
 * Swagger UI can read, compare and write as any other. Where text is shown or sent, the digits are put back.
 */

/** Of this page alone, so that no text of others holds a stand-in. */
const NONCE = String(100_000 + (window.crypto.getRandomValues(new Uint32Array(1))[0] % 900_000));

const STAND_IN = new RegExp(`-?7\\.${NONCE}(\\d+)1e\\+299`, 'g');

/** A string, which stays as it is, or a number. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** More than any page shows; later ones are shown rounded. At most 14 digits make a number that is written as it is read. */
const MAX_STAND_INS = 1_000_000;

const digits = [];
const standIns = new Map();

function standInFor(number) {
  let standIn = standIns.get(number);
  if (standIn === undefined) {
    if (digits.length === MAX_STAND_INS) return number;
    const sign = number.startsWith('-') ? '-' : '';
    standIn = `${sign}7.${NONCE}${String(digits.length).padStart(6, '0')}1e+299`;
    digits.push(number);
    standIns.set(number, standIn);
  }
  return standIn;
}

/** JSON with another token for each number that would be read as another one. */
function replaceInexact(json, replacement) {
  return json.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : replacement(token),
  );
}

/** JSON in which every number survives being read and written. */
export function standInForNumbers(json) {
  return replaceInexact(json, standInFor);
}

/**
 * The value of JSON for a page that shows it: a number that would be read as another one is its text.
 *
 * @throws SyntaxError
 */
export function parseExactly(json) {
  return JSON.parse(replaceInexact(json, (number) => `"${number}"`));
}

/** The text as it was sent; what is not a text stays as it is. */
export function asSent(text) {
  if (typeof text !== 'string') return text;
  return text.replace(STAND_IN, (standIn, index) => digits[Number(index)] ?? standIn);
}

/** A component whose named properties are shown as they were sent. */
const showing =
  (...names) =>
  (Original, { React }) =>
  (props) =>
    React.createElement(Original, {
      ...props,
      ...Object.fromEntries(names.map((name) => [name, asSent(props[name])])),
    });

/** Everything in Swagger UI that shows a number of the document or of a response. */
export const exactNumbers = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        // Prefilled from the document, then checked to be a number, then sent.
        changeParamByIdentity: (original) => (path, parameter, value, isXml) =>
          original(path, parameter, asSent(value), isXml),
      },
    },
  },
  wrapComponents: {
    HighlightCode: showing('children'),
    TextArea: showing('value'),
    Markdown: showing('source'),
    JSONSchema202012KeywordConstraint: (Original, { React }) =>
      function Constraint({ constraint }) {
        return React.createElement(Original, {
          constraint: { ...constraint, value: asSent(constraint.value) },
        });
      },
    JSONSchema202012JSONViewer: (Original, { React }) =>
      function Viewer(props) {
        const value = typeof props.value === 'number' ? exact(props.value) : props.value;
        return React.createElement(Original, { ...props, value });
      },
  },
});

/** The same number, as a BigInt if only that has all of its digits. */
function exact(number) {
  const text = asSent(String(number));
  return /e/.test(String(number)) && /^-?\d+$/.test(text) ? BigInt(text) : number;
}
