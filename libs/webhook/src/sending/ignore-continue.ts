import type { Socket } from 'node:net';

const CONTINUE = Buffer.from('HTTP/1.1 100 ');
const NOTHING = Buffer.alloc(0);
/** As many bytes as undici takes for the head of a response. */
const MAX_HEAD_BYTES = 16 * 1_024;
const MAX_CONTINUES = 10;

/**
 * Leaves `100 Continue` out of what a socket reads. A client must be able to receive it and may ignore it (RFC 9110,
 * section 15.2), but undici 7 closes the connection. After ten in a row they are left in.
 */
export function ignoreContinue<Connected extends Socket>(socket: Connected): Connected {
  const push = socket.push.bind(socket);
  /** A head whose end has not arrived. */
  let held: Buffer = NOTHING;
  let continues = 0;
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    let rest = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = NOTHING;
    while (isContinue(rest) && continues < MAX_CONTINUES) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0 && rest.length <= MAX_HEAD_BYTES) {
        held = rest;
        return true;
      }
      if (end < 0) break;
      continues++;
      rest = rest.subarray(end + 4);
    }
    if (rest.length === 0) return true;
    continues = 0;
    return push(rest);
  };
  return socket;
}

/** Whether bytes begin with a status 100, as far as they have arrived. */
function isContinue(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, CONTINUE.length);
  return length > 0 && CONTINUE.compare(bytes, 0, length, 0, length) === 0;
}
