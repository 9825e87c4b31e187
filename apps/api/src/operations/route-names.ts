/** What requests are called in the log, in metrics and in traces that are for no operation of the contract. */
export const HEALTH = 'health';
export const DOCS = 'docs';
export const UNMATCHED = 'unmatched';
