/** What a file of animals may be. */
export const FORMATS = ['csv', 'ndjson'] as const;

export type StockFormat = (typeof FORMATS)[number];
