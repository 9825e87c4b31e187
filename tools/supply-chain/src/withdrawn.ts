/** A package that its maintainers have withdrawn, as far as that goes. */
export interface Withdrawn {
  readonly name: string;
  /** The first version that is not; all are when left out. */
  readonly before?: number;
}

/**
 * Deprecated packages that other packages still bring along. Lockfiles say what is deprecated only when they were
 * made from a registry that tells, and not every mirror does: this list holds in either case.
 */
export const WITHDRAWN: readonly Withdrawn[] = [
  { name: 'glob', before: 13 },
  { name: 'rimraf', before: 4 },
  { name: 'inflight' },
  { name: 'request' },
  { name: 'har-validator' },
  { name: 'uuid', before: 7 },
  { name: 'abab' },
  { name: 'domexception' },
  { name: 'node-domexception' },
  { name: 'npmlog' },
  { name: 'gauge' },
  { name: 'are-we-there-yet' },
  { name: 'querystring' },
  { name: 'sourcemap-codec' },
  { name: 'source-map-resolve' },
  { name: 'source-map-url' },
  { name: 'resolve-url' },
  { name: 'urix' },
  { name: 'w3c-hr-time' },
  { name: 'lodash.get' },
  { name: 'lodash.isequal' },
  { name: 'lodash.template' },
  { name: 'lodash.pick' },
  { name: 'lodash.omit' },
  { name: '@humanwhocodes/config-array' },
  { name: '@humanwhocodes/object-schema' },
  { name: 'eslint', before: 9 },
  { name: 'tslint' },
  { name: 'superagent', before: 10 },
  { name: 'supertest', before: 7 },
  { name: 'multer', before: 2 },
];

/** Whether this version of a package is on the list. */
export function isWithdrawn(name: string, version: string): boolean {
  const major = Number.parseInt(version, 10);
  return WITHDRAWN.some((entry) => entry.name === name && major < (entry.before ?? Infinity));
}
