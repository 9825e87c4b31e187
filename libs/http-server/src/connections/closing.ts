import type { Socket } from 'node:net';

/** Longest that a client may take to notice that its connection is being closed, in milliseconds. */
const LINGER_MS = 2_000;

/** Longest without progress while the response is being flushed, in milliseconds. */
const FLUSH_MS = 15_000;

/** Most bytes that are read and discarded meanwhile. */
const LINGER_BYTES = 64 * 1024;

/**
 * Least time that a client has to read the response before its connection is reset, in milliseconds. One that sends more
 * than is discarded would otherwise lose it: a reset discards what has arrived and has not been read.
 */
const RESPONSE_MS = 500;

/**
 * Closes a connection whose client may still be sending. A socket that is closed with unread bytes resets its
 * connection, and the reset can overtake the response (RFC 9112, section 9.6). So the response is flushed and the
 * sending side is closed first; what arrives after that is discarded, at most 64 KiB and for at most 2 s.
 * A client that sends more is reset after half a second, and until then nothing more is read from it.
 *
 * The parser sees none of it, so that a body in one-byte chunks costs no more than its bytes.
 */
export function closeLingering(socket: Socket): void {
  if (socket.destroyed) return;
  socket.removeAllListeners('data');
  socket.pause();
  // Node no longer watches the time of a socket that it has let go of.
  socket.setTimeout(FLUSH_MS, () => {
    closeAtOnce(socket);
  });
  socket.end();
  if (socket.writableFinished) discardRest(socket);
  else
    socket.once('finish', () => {
      discardRest(socket);
    });
}

/**
 * Closes a connection whatever it is doing. What has not been sent is discarded by a reset: the system would keep what it
 * has of a response that is never read, up to 4 MB, for many minutes after an ordinary end.
 */
export function closeAtOnce(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy();
  else socket.destroy();
}

function discardRest(socket: Socket): void {
  const reset = (): void => {
    // A client that is still there after this has not read the end, nor perhaps what was before it.
    if (!socket.destroyed) socket.resetAndDestroy();
  };
  const began = performance.now();
  let rest = LINGER_BYTES;
  let timer = setTimeout(reset, LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  const discard = (bytes: Buffer): void => {
    rest -= bytes.length;
    if (rest >= 0) return;
    socket.off('data', discard);
    socket.pause();
    clearTimeout(timer);
    timer = setTimeout(reset, RESPONSE_MS - (performance.now() - began));
  };
  socket.on('data', discard);
  socket.resume();
}
