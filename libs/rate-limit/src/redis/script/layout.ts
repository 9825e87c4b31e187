import type { LuaConstants } from './constants.js';

/**
 * What the value of a subject's key holds, one after another, little-endian:
 *
 *   state      generation, newest moment, end and number of bans;
 *              minute: head, size, capacity of its ring, oldest moment;
 *              day: head, size, capacity of its ring, sum, oldest batch, youngest batch
 *   refusals   head, size, capacity of their ring, sum, oldest batch, youngest batch
 *   minute     a ring of moments, 2 bytes each: every admission of the last 60 s
 *   day        a ring of batches, 4 bytes of moment and 2 of count, without the youngest
 *   refusals   a ring of batches, likewise
 *
 * The youngest batch of a ring of batches stays in the header until the next one begins, so that most
 * decisions read the header, and write the header and one moment: their cost does not grow with the limits.
 * The generation is a number that a value gets when it is made, from 2 to 255: a value that was lost and made
 * anew is thereby known as another one.
 * A moment is milliseconds modulo 2^16 or 2^32; those in a ring are never further apart than its window.
 * A ring that is full doubles its capacity, so that a subject takes no more room than it needs.
 *
 * Instances of several versions share these values: a change needs another prefix of the keys.
 */
export const LAYOUT: LuaConstants = {
  STATE: "'<BddHI4I4I4dI4I4I4I4dI4dI4'",
  REFUSALS: "'<I4I4I4I4dI4dI4'",
  STATE_BYTES: 79,
  HEADER_BYTES: 119,
  // Numbers among the arguments of a command are spelled with 17 digits each, which takes longer than the command.
  LAST_OF_HEADER: "'118'",
  MOMENT_BYTES: 2,
  BATCH_BYTES: 6,
  MAX_BATCH: 65_535,
};
