import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { createResponseClass } from '../response/response-class.js';

type Respond = (response: ServerResponse) => unknown;

let respond: Respond;
/** Lists of pieces that responses of our class were sent as. */
let lists = 0;

const handle = (_request: IncomingMessage, response: ServerResponse): void => {
  response.sendDate = false;
  respond(response);
};
const servers: Record<'ours' | 'nodes', Server> = {
  ours: createServer({ ServerResponse: createResponseClass() }, handle),
  nodes: createServer({ ServerResponse }, handle),
};

beforeAll(async () => {
  servers.ours.on('connection', (socket: Socket) => {
    const writev = socket._writev?.bind(socket);
    socket._writev = (...all: Parameters<NonNullable<Socket['_writev']>>) => {
      lists++;
      writev?.(...all);
    };
  });
  await Promise.all(Object.values(servers).map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
});
afterAll(() => {
  for (const server of Object.values(servers)) server.close();
});

/** What goes over the wire, byte for byte, for two requests on one connection. */
async function exchange(server: Server, method: string): Promise<string> {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write(
    `${method} / HTTP/1.1\r\nHost: a\r\n\r\n${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket) text += chunk as string;
  return text;
}

const withLength =
  (body: string, status = 200): Respond =>
  (response) =>
    response.writeHead(status, { 'Content-Length': Buffer.byteLength(body) }).end(body);

const WAYS: [string, Respond, method?: string][] = [
  ['ASCII', withLength('{"name":"Rex"}')],
  ['nothing', withLength('')],
  ['a long text', withLength('x'.repeat(100_000))],
  ['letters beyond ASCII', withLength('{"name":"Ælfgifu"}')],
  ['letters beyond Latin-1', withLength('{"name":"猫"}')],
  ['a text whose length is not said', (response) => response.writeHead(200).end('{}')],
  [
    'a text in two pieces',
    (response) => response.writeHead(200, { 'Content-Length': 2 }).write('{') && response.end('}'),
  ],
  ['a text without writeHead', (response) => response.end('{}')],
  [
    'a text in another encoding',
    (response) => response.writeHead(200, { 'Content-Length': 2 }).end('7b7d', 'hex'),
  ],
  ['bytes', (response) => response.writeHead(200, { 'Content-Length': 2 }).end(Buffer.from('{}'))],
  ['HEAD', withLength('{}'), 'HEAD'],
  ['204', (response) => response.writeHead(204).end('{}')],
  ['304', withLength('{}', 304)],
  ['an error', withLength('{"code":"internal_error"}', 500), 'POST'],
];

describe('a response with', () => {
  it.each(WAYS)('%s is sent as node sends it', async (_what, how, method = 'GET') => {
    respond = how;
    const [ours, nodes] = await Promise.all([
      exchange(servers.ours, method),
      exchange(servers.nodes, method),
    ]);
    expect(ours).toBe(nodes);
  });

  it('an ASCII body of known length is one string for the socket', async () => {
    const listsOf = async (how: Respond): Promise<number> => {
      respond = how;
      lists = 0;
      await exchange(servers.ours, 'GET');
      return lists;
    };
    expect(await listsOf(withLength('{"name":"Rex"}'))).toBe(0);
    expect(await listsOf(withLength('{"name":"猫"}'))).toBe(2);
  });

  it('an ASCII body calls back and finishes', async () => {
    const seen: string[] = [];
    respond = (response) => {
      response.once('finish', () => seen.push('finish'));
      response.writeHead(200, { 'Content-Length': 2 }).end('{}');
      seen.push(String(response.writableEnded));
    };
    await exchange(servers.ours, 'GET');
    expect(seen.sort()).toEqual(['finish', 'finish', 'true', 'true']);
  });
});
