/** Up to how many rows that wait for something are counted. */
export const MAX_BACKLOG = 100_000;
