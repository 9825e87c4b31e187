import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Most pieces that the body of a request may arrive in: chunks, and what single reads of the connection bring.
 * A piece takes the server 1.5 µs, however small it is. Clients that write each token of an animal as a chunk of
 * its own stay far below.
 */
export const MOST_BODY_PIECES = 128;

/** Event of a request whose body has come in too many pieces; what is beyond is discarded. */
export const TOO_MANY_PIECES = 'tooManyPieces';

/** A request that counts the pieces of its body, whether or not it is read. */
export interface CountedRequest extends IncomingMessage {
  /** Pieces so far. */
  pieces: number;
}

/** Whether the body of a request has come in more pieces than it may, so that some of it is missing. */
export function hasTooManyPieces(request: IncomingMessage): boolean {
  return ((request as Partial<CountedRequest>).pieces ?? 0) > MOST_BODY_PIECES;
}

/** Counts a piece. @returns whether it may be taken */
export function countPiece(request: CountedRequest): boolean {
  if (++request.pieces <= MOST_BODY_PIECES) return true;
  if (request.pieces === MOST_BODY_PIECES + 1) request.emit(TOO_MANY_PIECES);
  skipPieces(request);
  return false;
}

/** Node's parser of a connection: its callbacks stand under the numbers that its class names. */
interface Parser {
  [callback: number]: unknown;
  readonly constructor: { readonly kOnBody?: number };
}

/** Callbacks that were taken off a parser, until the message ends that they were taken off for. */
const taken = new WeakMap<Parser, unknown>();

/**
 * Lets the parser go through what it has read of the connection without reporting the pieces: there can be
 * eleven thousand more of them, each of which then takes 50 ns. The callback is back before the next read, and so
 * before the parser can go to another connection.
 */
function skipPieces({ socket }: IncomingMessage): void {
  const { parser } = socket as Socket & { readonly parser?: Parser | null };
  const kOnBody = parser?.constructor.kOnBody;
  if (parser === undefined || parser === null || kOnBody === undefined) return;
  const callback = parser[kOnBody];
  if (callback === null) return;
  parser[kOnBody] = null;
  taken.set(parser, callback);
  setImmediate(restore, parser);
}

/** To be called at the end of each message: the same packet may hold another one, with a body of its own. */
export function endPieces(request: CountedRequest): void {
  if (request.pieces <= MOST_BODY_PIECES) return;
  const { parser } = request.socket as Socket & { readonly parser?: Parser | null };
  if (parser !== undefined && parser !== null) restore(parser);
}

function restore(parser: Parser): void {
  const { kOnBody } = parser.constructor;
  const callback = taken.get(parser);
  if (kOnBody === undefined || callback === undefined) return;
  taken.delete(parser);
  parser[kOnBody] = callback;
}
