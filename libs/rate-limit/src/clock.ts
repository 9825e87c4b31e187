/** Unix time in milliseconds, fractions allowed. When it jumps back, time stands still until it has caught up. */
export type Clock = () => number;
