import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@petstore/http-kernel';
import { hasTooManyPieces, MOST_BODY_PIECES, TOO_MANY_PIECES } from './body-pieces.js';
import { askForBody } from './expect-continue.js';

/** Longest that a body may take to arrive, from the moment when its reading begins, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Refuses a body that is not read to its end; what is left of it is on the connection. */
const CLOSE = { Connection: 'close' };

/**
 * Reads the body of a request as it came over the wire; empty where there is none. Trailers are ignored.
 *
 * @param most bytes; more are refused, as soon as they are announced or have arrived
 * @throws ApiError payload_too_large, for too many pieces as well; bad_request when the body breaks off, or is not there within 5 s
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  most: number,
): Buffer | Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > most) throw tooLarge(most);
  if (hasTooManyPieces(request)) throw tooManyPieces();
  if (request.destroyed) throw brokenOff();
  askForBody(request, response);
  // Most bodies have arrived together with their header fields.
  if (request.complete) {
    if (request.readableLength > most) throw tooLarge(most);
    return readArrived(request);
  }
  return new Promise((resolve, reject) => {
    new BodyReading(request, most, announced, resolve, reject).begin();
  });
}

/** All that has arrived: node 26 gives it piece by piece, those before it at once. */
function readArrived(request: IncomingMessage): Buffer {
  const length = request.readableLength;
  const first = request.read() as Buffer | null;
  if (first === null) return Buffer.alloc(0);
  if (first.length === length) return first;
  const pieces = [first];
  for (let piece = next(request); piece !== null; piece = next(request)) pieces.push(piece);
  return Buffer.concat(pieces);
}

function next(request: IncomingMessage): Buffer | null {
  return request.read() as Buffer | null;
}

/** The reading of one body that is still arriving; settles once, and leaves no listener and no timer behind. */
class BodyReading {
  /** All of it, once more than one piece has arrived; never more than may be. */
  private buffer: Buffer | undefined;
  private first: Buffer | undefined;
  private length = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly most: number,
    /** Bytes, by Content-Length; 0 where there is none. */
    private readonly announced: number,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (error: ApiError) => void,
  ) {}

  begin(): void {
    const { request } = this;
    this.timer = setTimeout(this.late, PATIENCE_MS);
    request.on('end', this.ended);
    request.on('error', this.broken);
    // Comes when the client disconnects, and when the connection is closed after a syntax error in the body.
    request.on('close', this.broken);
    request.on(TOO_MANY_PIECES, this.shattered);
    request.on('data', this.add);
  }

  private readonly add = (piece: Buffer): void => {
    const { length } = this;
    this.length += piece.length;
    if (this.length > this.most) {
      this.refuse(tooLarge(this.most));
      return;
    }
    if (this.first === undefined) {
      this.first = piece;
      return;
    }
    if (this.buffer === undefined) {
      this.buffer = Buffer.allocUnsafe(this.announced === 0 ? this.most : this.announced);
      this.first.copy(this.buffer);
    }
    piece.copy(this.buffer, length);
  };

  private readonly ended = (): void => {
    this.settle();
    this.resolve(this.buffer?.subarray(0, this.length) ?? this.first ?? Buffer.alloc(0));
  };

  private readonly shattered = (): void => {
    this.refuse(tooManyPieces());
  };

  private readonly broken = (): void => {
    this.refuse(brokenOff());
  };

  private readonly late = (): void => {
    const message = `The request body did not arrive within ${PATIENCE_MS / 1_000} seconds.`;
    this.refuse(new ApiError('bad_request', { message, headers: CLOSE }));
  };

  private refuse(error: ApiError): void {
    this.settle();
    this.reject(error);
  }

  /** What still arrives flows on, and is discarded. */
  private settle(): void {
    const { request } = this;
    clearTimeout(this.timer);
    request.off('end', this.ended);
    request.off('error', this.broken);
    request.off('close', this.broken);
    request.off(TOO_MANY_PIECES, this.shattered);
    request.off('data', this.add);
  }
}

function tooLarge(most: number): ApiError {
  return new ApiError('payload_too_large', {
    message: `The request body may take at most ${most / 1024} KiB as it is sent.`,
    headers: CLOSE,
  });
}

function tooManyPieces(): ApiError {
  return new ApiError('payload_too_large', {
    message: `The request body may arrive in at most ${MOST_BODY_PIECES} pieces.`,
    headers: CLOSE,
  });
}

function brokenOff(): ApiError {
  return new ApiError('bad_request', { message: 'The request body could not be read to its end.' });
}
