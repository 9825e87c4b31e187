import { once } from 'node:events';
import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection } from '../support/raw-connection.js';

/** One thing that a hostile client does. */
export type Step = (connection: RawConnection) => unknown;

/** Sends bytes in one piece. */
export const send =
  (bytes: string | Buffer): Step =>
  (connection) => {
    connection.write(bytes);
  };

/** Sends bytes one at a time, each in a packet of its own. */
export const drip =
  (bytes: string | Buffer, everyMs: number): Step =>
  async (connection) => {
    for (const byte of Buffer.from(bytes)) {
      if (!connection.socket.writable) return;
      connection.write(Buffer.of(byte));
      await sleep(everyMs);
    }
  };

/** Sends the same piece over and over, as fast as the server takes it, until it ends the connection. */
export const flood =
  (piece: Buffer, forMs: number): Step =>
  async ({ socket, gone }) => {
    const over = sleep(forMs, undefined, { ref: false });
    const more = (): void => {
      // A few pieces a turn: the connection shares its process with others.
      for (let i = 0; i < 4 && socket.writable; i++) if (!socket.write(piece)) return;
      if (socket.writable) setImmediate(more);
    };
    socket.on('drain', more);
    more();
    await Promise.race([over, gone]);
    socket.off('drain', more);
  };

/** Reads nothing from here on. */
export const stopReading: Step = ({ socket }) => socket.pause();

/** Says that nothing more will be sent; the connection stays. */
export const halfClose: Step = ({ socket }) => socket.end();

/**
 * Breaks a connection with RST (RFC 9293, section 3.5.2). One whose FIN is on its way is closed instead: node fails to reset
 * it (EINVAL), and then never closes it.
 */
export function breakOff(socket: net.Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}

/** Breaks the connection. */
export const reset: Step = ({ socket }) => {
  breakOff(socket);
};

/** Closes the connection: FIN, and RST to whatever the server still sends. */
export const close: Step = ({ socket }) => socket.destroy();

/** Does nothing, for so long or until the server ends the connection. */
export const silence =
  (ms: number): Step =>
  ({ gone }) =>
    Promise.race([gone, sleep(ms, undefined, { ref: false })]);

/** Waits until a response begins; for so long at most. */
export const untilResponse =
  (ms: number): Step =>
  async (connection) => {
    const until = performance.now() + ms;
    while (connection.text === '' && !connection.isEnded && performance.now() < until) await sleep(2);
  };

/** Waits until the server has ended the connection; for so long at most. */
export const untilEnded =
  (ms: number): Step =>
  async (connection) => {
    const until = performance.now() + ms;
    while (!connection.isEnded && performance.now() < until) await sleep(10);
  };

/** Opens a connection and takes the steps one after the other; what it is left in is the caller's. */
export async function act(port: number, steps: readonly Step[]): Promise<RawConnection> {
  const connection = new RawConnection(`http://127.0.0.1:${port}`);
  await Promise.race([once(connection.socket, 'connect').catch(() => undefined), connection.gone]);
  for (const step of steps) await step(connection);
  return connection;
}

/**
 * As {@link act} by `count` clients, `atOnce` at a time; each breaks its connection after its last step at the latest.
 */
export async function crowd(
  port: number,
  count: number,
  stepsOf: (index: number) => readonly Step[],
  atOnce = count,
): Promise<RawConnection[]> {
  const all: RawConnection[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const connection = await act(port, stepsOf(next++));
      all.push(connection);
      breakOff(connection.socket);
      await connection.gone;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return all;
}
