import { expect, it } from '@jest/globals';
import type { EventPosition } from '@petstore/event-feed';
import { eventPageTag } from './event-page-tag.js';

const tagOf = (json: string, position: string): string =>
  eventPageTag({ json, position: position as EventPosition });

it('is the same for the same events up to the same position', () => {
  expect(tagOf('[{"position":7}]', '7')).toBe(tagOf('[{"position":7}]', '7'));
  expect(tagOf('[]', '9223372036854775807')).toMatch(/^"[\w.-]{1,62}"$/);
});

it.each([
  ['of other events of the same length', '[{"position":8}]', '7'],
  ['of more events', '[{"position":6},{"position":7}]', '7'],
  ['that reaches further', '[{"position":7}]', '8'],
])('is another one for a page %s', (_what, json, position) => {
  expect(tagOf(json, position)).not.toBe(tagOf('[{"position":7}]', '7'));
});
