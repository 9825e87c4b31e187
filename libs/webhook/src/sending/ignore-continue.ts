import type { Socket } from 'node:net';

/** `100 Continue` with its header fields, up to ten times: of a flood undici meets the rest, and closes the connection. */
const CONTINUES = /^(?:HTTP\/1\.1 100 [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n){1,10}/;

/** In bytes. */
const LONGEST = 1_024;

/**
 * Leaves `100 Continue` out of what a socket reads. A client must be able to receive it and may ignore it (RFC 9110,
 * section 15.2), but undici closes the connection (7 and 8). Only where it begins a piece that is read:
 * the few servers that send it without being asked send it first, and at once.
 */
export function ignoreContinue(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null) => {
    const [continues = ''] = (chunk && CONTINUES.exec(chunk.toString('latin1', 0, LONGEST))) ?? [];
    const rest = chunk?.subarray(continues.length) ?? null;
    return rest?.length === 0 || push(rest);
  };
  return socket;
}
