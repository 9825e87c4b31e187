import type { IncomingMessage } from 'node:http';

const BROKEN_OFF = Symbol('brokenOff');

/** A request's event: the rest of its body will never come. */
export const BREAKS_OFF = 'breaksOff';

/** Tells who reads a request, now or later, that its body broke HTTP's rules or ended before its length. */
export function breakOff(request: IncomingMessage & { [BROKEN_OFF]?: true }): void {
  request[BROKEN_OFF] = true;
  request.emit(BREAKS_OFF);
}

export function isBrokenOff(request: IncomingMessage & { [BROKEN_OFF]?: true }): boolean {
  return request[BROKEN_OFF] === true;
}
