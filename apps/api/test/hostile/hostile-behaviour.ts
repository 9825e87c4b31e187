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

const STAGES = [
  'before the request line',
  'within the request line',
  'within the header fields',
  'before the body',
  'within the body',
  'at the end',
] as const;
const MANNERS = ['at once', 'byte by byte'] as const;
const MOMENTS = ['at once', 'when a response comes', 'after a while'] as const;
const LEAVINGS = ['reset', 'half-close', 'close', 'silence'] as const;

/** How one client misbehaves. */
interface Behaviour {
  /** Complete requests that are sent in the same packet before the one that counts. */
  readonly pipelined: number;
  readonly first: HostileRequest;
  readonly request: HostileRequest;
  readonly stage: (typeof STAGES)[number];
  readonly manner: (typeof MANNERS)[number];
  readonly reads: boolean;
  readonly moment: (typeof MOMENTS)[number];
  readonly leaving: (typeof LEAVINGS)[number];
}

/** Behaviours of clients, another sequence for each seed. */
export function hostileBehaviours(
  requests: readonly HostileRequest[],
  seed: number,
  count: number,
): readonly (readonly Step[])[] {
  const request = fc.constantFrom(...requests);
  const behaviour: fc.Arbitrary<Behaviour> = fc.record({
    pipelined: fc.oneof(fc.constant(0), fc.nat({ max: 20 })),
    first: request,
    request,
    stage: fc.constantFrom(...STAGES),
    manner: fc.constantFrom(...MANNERS),
    reads: fc.boolean(),
    moment: fc.constantFrom(...MOMENTS),
    leaving: fc.constantFrom(...LEAVINGS),
  });
  return fc.sample(behaviour, { seed, numRuns: count }).map(stepsOf);
}

/** Most bytes that are sent one at a time, and the milliseconds between two. */
const DRIPPED = 24;
const DRIP_EVERY = 2;
/** A while, in milliseconds: time enough for a response, or for the half of one. */
const WHILE = 60;

function stepsOf({
  pipelined,
  first,
  request,
  stage,
  manner,
  reads,
  moment,
  leaving,
}: Behaviour): readonly Step[] {
  const before = Buffer.concat([Buffer.from(first.head, 'latin1'), first.body]);
  const bytes = Buffer.concat([...Array.from({ length: pipelined }, () => before), upTo(stage, request)]);
  const at = manner === 'at once' ? bytes.length : Math.max(0, bytes.length - DRIPPED);
  return [
    ...(reads ? [] : [stopReading]),
    send(bytes.subarray(0, at)),
    drip(bytes.subarray(at), DRIP_EVERY),
    ...waitingFor(moment),
    ...leave(leaving),
  ];
}

function upTo(stage: Behaviour['stage'], { head, body }: HostileRequest): Buffer {
  const start = Buffer.from(head, 'latin1');
  const line = head.indexOf('\r\n');
  switch (stage) {
    case 'before the request line':
      return Buffer.alloc(0);
    case 'within the request line':
      return start.subarray(0, line / 2);
    case 'within the header fields':
      return start.subarray(0, (line + start.length) / 2);
    case 'before the body':
      return start;
    case 'within the body':
      return Buffer.concat([start, body.subarray(0, body.length / 2)]);
    case 'at the end':
      return Buffer.concat([start, body]);
  }
}

function waitingFor(moment: Behaviour['moment']): readonly Step[] {
  switch (moment) {
    case 'at once':
      return [];
    case 'when a response comes':
      return [untilResponse(WHILE)];
    case 'after a while':
      return [silence(WHILE)];
  }
}

/** Whoever stays is broken off at the end by whoever runs the steps. */
function leave(leaving: Behaviour['leaving']): readonly Step[] {
  switch (leaving) {
    case 'reset':
      return [reset];
    case 'half-close':
      return [halfClose, silence(WHILE)];
    case 'close':
      return [close];
    case 'silence':
      return [silence(2 * WHILE)];
  }
}
