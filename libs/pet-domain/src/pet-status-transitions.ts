import { PetStatus } from './pet-status.js';

/** What it means that the status of an animal is changed by hand, or why that is refused. */
export type StatusTransition = { readonly meaning: string } | { readonly refused: string };

/** Every change from one status to another one. The compiler sees to it that no pair is missing. */
export type StatusTransitions = {
  readonly [From in PetStatus]: Readonly<Record<Exclude<PetStatus, From>, StatusTransition>>;
};

/**
 * The one table of changes of the status by `updatePet` (docs/contract.md, "Changing an animal"). An animal may be
 * created with any status, and a change to the status that it has is none.
 */
export const STATUS_TRANSITIONS: StatusTransitions = checkedTransitions({
  available: { pending: { meaning: 'held by hand' }, sold: { meaning: 'adopted at the door' } },
  pending: { available: { meaning: 'hold lifted' }, sold: { meaning: 'adopted' } },
  sold: {
    available: { meaning: 'returned' },
    pending: { refused: 'Pending means promised to somebody, and a returned animal is nobody’s.' },
  },
});

/** Whether an animal of the status `from` may be given the status `to` by hand. */
export function isAllowedTransition(from: PetStatus, to: PetStatus): boolean {
  return from === to || targetsOf(from).includes(to);
}

/** The other statuses that an animal of this status may be given by hand, in the order of the specification. */
export function targetsOf(from: PetStatus): readonly PetStatus[] {
  return PetStatus.ALL.filter((to) => to !== from && isAllowed(STATUS_TRANSITIONS, from, to));
}

/**
 * @throws {Error} when the table lacks a pair or names an unknown status, or when there is a status that an animal
 * can never leave or never be given
 */
export function checkedTransitions(table: StatusTransitions): StatusTransitions {
  for (const status of PetStatus.ALL) {
    const others = PetStatus.ALL.filter((other) => other !== status);
    const named = Object.keys((table as Partial<StatusTransitions>)[status] ?? {});
    if (others.length !== named.length || !others.every((other) => named.includes(other)))
      throw new Error(`The table of status transitions does not say everything about ${status}.`);
  }
  for (const status of PetStatus.ALL) {
    if (!PetStatus.ALL.some((to) => to !== status && isAllowed(table, status, to)))
      throw new Error(`By the table of status transitions ${status} can never be left.`);
    if (!PetStatus.ALL.some((from) => from !== status && isAllowed(table, from, status)))
      throw new Error(`By the table of status transitions nothing ever becomes ${status}.`);
  }
  return table;
}

function isAllowed(table: StatusTransitions, from: PetStatus, to: PetStatus): boolean {
  const row: Partial<Record<PetStatus, StatusTransition>> = table[from];
  const transition = row[to];
  return transition !== undefined && 'meaning' in transition;
}
