import { type PetId, PetStatus } from '@petstore/pet-domain';
import { CursorFormat } from '../lists/cursor.js';

/** Positions in lists of animals; `filter` is the category. Clients may have kept cursors of this form. */
export const PET_CURSOR = new CursorFormat<PetId, PetStatus>(
  '',
  new Map<PetStatus | undefined, string>([
    [undefined, 'z'],
    ...PetStatus.ALL.map((status) => [status, status.charAt(0)] as const),
  ]),
);
