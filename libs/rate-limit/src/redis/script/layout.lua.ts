/**
 * What the value of a subject's key holds, one after another, little-endian:
 *
 *   state      life, newest moment, end and number of bans;
 *              minute: head, size, capacity of its ring, oldest moment;
 *              day: head, size, capacity of its ring, sum, oldest batch, youngest batch
 *   refusals   head, size, capacity of their ring, sum, oldest batch, youngest batch
 *   minute     a ring of moments, 2 bytes each: every admission of the last 60 s
 *   day        a ring of batches, 4 bytes of moment and 2 of count, without the youngest
 *   refusals   a ring of batches, likewise
 *
 * The youngest batch of a ring of batches stays in the header until the next one begins, so that most
 * decisions read the header, and write the header and one moment: their cost does not grow with the limits.
 * The life is a number that a value gets when it is made, from 2 to 255, or 1 from earlier versions: a value that was
 * lost and made anew is thereby known as another one.
 * A moment is milliseconds modulo 2^16 or 2^32; those in a ring are never further apart than its window.
 * A ring that is full doubles its capacity, so that a subject takes no more room than it needs.
 */
export const LAYOUT = `
local STATE, REFUSALS = '<BddHI4I4I4dI4I4I4I4dI4dI4', '<I4I4I4I4dI4dI4'
local STATE_BYTES, HEADER_BYTES = 79, 119
local MOMENT_BYTES, BATCH_BYTES, MAX_BATCH = 2, 6, 65535
-- Numbers among the arguments of a command are spelled with 17 digits each, which takes longer than the command.
local LAST_OF_HEADER = '118'
`;
