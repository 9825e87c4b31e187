import { once } from 'node:events';
import net from 'node:net';

const ANIMAL = JSON.stringify({ name: 'Late', categoryId: 1 });

/** A connection on which half a request to add an animal has been sent. */
export async function beginToAdd(origin: string, key: string): Promise<net.Socket> {
  const socket = net.connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  socket.write(
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${ANIMAL.length}\r\n\r\n${ANIMAL.slice(0, 5)}`,
  );
  return socket;
}

/** Sends the other half; all that is received until the connection closes. */
export async function finish(socket: net.Socket): Promise<string> {
  let reply = '';
  socket.on('data', (text: string) => (reply += text)).write(ANIMAL.slice(5));
  await once(socket, 'close');
  return reply;
}
