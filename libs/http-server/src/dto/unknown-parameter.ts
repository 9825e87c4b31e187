import leven from 'leven';
import { ApiError } from '../errors/api-error.js';

/** Characters of a name that a message repeats, and that are compared. */
const SHOWN = 40;

/** What would not be seen in a message as it is: control characters, line ends, marks of direction. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * The refusal of a query parameter that an operation does not have: a filter with a mistyped name would show everything.
 *
 * @param declared names of those that it has; the message begins with the one that is most like `name`
 * @param mayShow whether a text may stand in a message: none that looks like a key
 */
export function unknownParameter(
  name: string,
  declared: readonly string[],
  mayShow: (text: string) => boolean,
): ApiError {
  const all = Array.from(name);
  const shown = all.slice(0, SHOWN).join('');
  const cut = all.length > SHOWN ? '…' : '';
  const subject = mayShow(name) ? ` "${shown.replaceAll(UNSEEN, '\uFFFD')}${cut}"` : ' of that name';
  const distance = new Map(declared.map((each) => [each, leven(shown.toLowerCase(), each.toLowerCase())]));
  const nearestFirst = declared.toSorted((a, b) => (distance.get(a) ?? 0) - (distance.get(b) ?? 0));
  return new ApiError('invalid_parameter', {
    message: `There is no query parameter${subject} here. There are: ${nearestFirst.join(', ')}.`,
  });
}
