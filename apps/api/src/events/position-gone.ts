import type { PositionGoneError } from '@petstore/event-feed';
import { ApiError } from '@petstore/http-kernel';
import { EVENT_ERRORS } from './event.errors.js';

/** The refusal of a position of the feed, in the contract's terms. @param after the position, as the client gave it */
export function positionGone({ first, newest, isBeyondNewest }: PositionGoneError, after = ''): ApiError {
  const reason = isBeyondNewest
    ? `The newest event is ${newest}: the position ${after} was never given out.`
    : `Events up to ${first} are no longer kept.`;
  return new ApiError(EVENT_ERRORS.position_gone, {
    message: `${reason} Fetch everything again, then follow from after=latest.`,
  });
}
