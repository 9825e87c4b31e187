import { defineErrors } from '@petstore/http-kernel';

export const EVENT_ERRORS = defineErrors({
  position_gone: {
    status: 410,
    message:
      'The feed does not reach back to this position. Fetch everything again, then follow from after=latest.',
    when: 'Events behind the position are no longer kept, or the position was never given out.',
  },
});

export type EventErrorCode = keyof typeof EVENT_ERRORS;
