/** Unix time in milliseconds, fractions allowed. It may jump; the limiter then admits no more than before. */
export type Clock = () => number;
