import fc from 'fast-check';
import {
  close,
  drip,
  halfClose,
  reset,
  send,
  silence,
  type Step,
  stopReading,
  untilResponse,
} from './hostile-client.js';
import type { HostileRequest } from './hostile-requests.js';

/** Most bytes that are sent one at a time, and the milliseconds between two. */
const DRIPPED = 24;
const DRIP_EVERY_MS = 2;
/** Time enough for a response, or for the half of one. */
const WHILE_MS = 60;

/** How much of a request is sent, as parts of its request line, its head and its body. */
const STAGES = [
  { line: 0, head: 0, body: 0 },
  { line: 0.5, head: 0, body: 0 },
  { line: 1, head: 0.5, body: 0 },
  { line: 1, head: 1, body: 0 },
  { line: 1, head: 1, body: 0.5 },
  { line: 1, head: 1, body: 1 },
] as const;
const MOMENTS: readonly (readonly Step[])[] = [[], [untilResponse(WHILE_MS)], [silence(WHILE_MS)]];
/** A client that stays is broken off at the end by the test. */
const ENDS: readonly (readonly Step[])[] = [
  [reset],
  [halfClose, silence(WHILE_MS)],
  [close],
  [silence(2 * WHILE_MS)],
];

/** Behaviours of clients, another sequence for each seed. */
export function hostileBehaviours(
  requests: readonly HostileRequest[],
  seed: number,
  count: number,
): readonly (readonly Step[])[] {
  const request = fc.constantFrom(...requests);
  const behaviour = fc
    .record({
      /** Complete requests that are sent in the same packet before the one that counts. */
      pipelined: fc.oneof(fc.constant(0), fc.nat({ max: 20 })),
      first: request,
      request,
      stage: fc.constantFrom(...STAGES),
      dripped: fc.constantFrom(0, DRIPPED),
      reads: fc.boolean(),
      moment: fc.constantFrom(...MOMENTS),
      end: fc.constantFrom(...ENDS),
    })
    .map(({ pipelined, first, request: last, stage, dripped, reads, moment, end }): readonly Step[] => {
      const whole = upTo(STAGES[5], first);
      const bytes = Buffer.concat([...Array.from({ length: pipelined }, () => whole), upTo(stage, last)]);
      const at = Math.max(0, bytes.length - dripped);
      return [
        ...(reads ? [] : [stopReading]),
        send(bytes.subarray(0, at)),
        drip(bytes.subarray(at), DRIP_EVERY_MS),
        ...moment,
        ...end,
      ];
    });
  return fc.sample(behaviour, { seed, numRuns: count });
}

function upTo(stage: (typeof STAGES)[number], { head, body }: HostileRequest): Buffer {
  const line = head.indexOf('\r\n');
  const ofHead = stage.line * line + stage.head * (head.length - line);
  return Buffer.concat([
    Buffer.from(head, 'latin1').subarray(0, ofHead),
    body.subarray(0, stage.body * body.length),
  ]);
}
