import type { Socket } from 'node:net';

const INTERIM = Buffer.from('HTTP/1.1 1');
const CONTINUE = Buffer.from('HTTP/1.1 100 ');
const NOTHING = Buffer.alloc(0);
/** As many bytes as undici takes for the head of a response. */
const MAX_HEAD_BYTES = 16 * 1_024;
const MAX_CONTINUES = 10;

/**
 * Leaves `100 Continue` out of what a socket reads, also behind other interim responses. A client must be able to receive
 * it and may ignore it (RFC 9110, section 15.2), but undici 7 closes the connection. After ten in a row they are left in.
 */
export function ignoreContinue<Connected extends Socket>(socket: Connected): Connected {
  const push = socket.push.bind(socket);
  /** An interim head whose end has not arrived. */
  let held: Buffer = NOTHING;
  let continues = 0;
  /** How much had been sent when the response that counts began: until there is more, what follows is its body. */
  let answered: number | undefined;
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null || socket.bytesWritten === answered) return push(chunk);
    let rest = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = NOTHING;
    const others: Buffer[] = [];
    while (beginsAs(rest, INTERIM)) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) {
        if (rest.length <= MAX_HEAD_BYTES) [held, rest] = [rest, NOTHING];
        break;
      }
      const head = rest.subarray(0, end + 4);
      rest = rest.subarray(head.length);
      if (beginsAs(head, CONTINUE) && continues < MAX_CONTINUES) continues++;
      else {
        others.push(head);
        continues = 0;
      }
    }
    if (rest.length > 0) {
      others.push(rest);
      continues = 0;
      answered = socket.bytesWritten;
    }
    return others.length === 0 || push(Buffer.concat(others));
  };
  return socket;
}

/** Whether bytes begin with a prefix, as far as they have arrived. */
function beginsAs(bytes: Buffer, prefix: Buffer): boolean {
  const length = Math.min(bytes.length, prefix.length);
  return length > 0 && prefix.compare(bytes, 0, length, 0, length) === 0;
}
