/**
 * Injection token of the unit of work for what no request waits for. It has its own share of the connections, so that
 * neither takes them from the other.
 */
export const BACKGROUND_WORK = Symbol('BackgroundWork');
