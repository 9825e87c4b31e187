/** What Nest finds the {@link ApiKeyCacheBounds} by. */
export const API_KEY_CACHE_BOUNDS = Symbol('ApiKeyCacheBounds');

/** How long a process may rely on what it has read, and how much it may hold. Ages in milliseconds. */
export interface ApiKeyCacheBounds {
  /** Most accepted keys held. */
  readonly accepted: number;
  /** Most refused keys held. */
  readonly refused: number;
  /** Age from which an accepted key is read again behind the requests that use it. */
  readonly refreshAfter: number;
  /** Age after which an accepted key is read again before it is accepted. */
  readonly maxAge: number;
  /** Age after which a refused key is read again. */
  readonly maxRefusedAge: number;
}

/** Every change takes effect within 8 seconds, also where no event arrives. */
export const DEFAULT_CACHE_BOUNDS: ApiKeyCacheBounds = {
  accepted: 10_000,
  refused: 10_000,
  refreshAfter: 4_000,
  maxAge: 8_000,
  maxRefusedAge: 4_000,
};
