import { PositionGoneError } from '@petstore/event-feed';
import { ApiError, defineErrors } from '@petstore/http-server';

/** True over HTTP and in tools, whose arguments differ. */
const NEXT = 'Fetch everything again, then follow from the latest position.';

export const EVENT_ERRORS = defineErrors({
  position_gone: {
    status: 410,
    message: `The feed does not reach back to this position. ${NEXT}`,
    when: 'Events behind the position are no longer kept, or the position was never given out.',
  },
});

/** Rejects with the contract's error for a position that the feed does not reach. @param after as the client gave it */
export async function orPositionGone<T>(work: Promise<T>, after = ''): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PositionGoneError)) throw error;
    const { first, newest, isBeyondNewest } = error;
    const reason = isBeyondNewest
      ? `The newest event is ${newest}: the position ${after} was never given out.`
      : `Events up to ${first} are no longer kept.`;
    throw new ApiError(EVENT_ERRORS.position_gone, { message: `${reason} ${NEXT}` });
  }
}
