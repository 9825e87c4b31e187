import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { createResponseClass } from './strict-express.adapter.js';

type Write = (response: ServerResponse) => void;

let write: Write;
/** Fields that every response has, of names that are also set, removed and looked at. */
const common = { 'X-Two': 'common', Link: '</>; rel="up"' };
const respond = (_request: IncomingMessage, response: ServerResponse): void => {
  response.sendDate = false;
  const code = codeOf(() => {
    write(response);
  });
  if (code !== undefined) response.writeHead(500).end(code);
};
const servers: Record<'ours' | 'nodes', Server> = {
  ours: createServer({ ServerResponse: createResponseClass(common) }, respond),
  nodes: createServer({ ServerResponse }, (request, response) => {
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    respond(request, response);
  }),
};

beforeAll(async () => {
  await Promise.all(Object.values(servers).map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
});
afterAll(() => {
  for (const server of Object.values(servers)) server.close();
});

/** What goes over the wire, byte for byte. */
async function exchange(server: Server): Promise<string> {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += chunk as string;
  return text;
}

async function both(how: Write): Promise<{ ours: string; nodes: string }> {
  write = how;
  return { ours: await exchange(servers.ours), nodes: await exchange(servers.nodes) };
}

/** The code of the error that something throws. */
function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

const name = fc.constantFrom('X-One', 'x-one', 'X-Two', 'ETag', 'Link', 'Vary', 'VARY', 'Set-Cookie');
const value = fc.oneof(
  fc.stringMatching(/^[!-~]{0,20}$/),
  fc.integer(),
  fc.array(fc.stringMatching(/^[!-~]{1,8}$/), { maxLength: 3 }),
);
const texts = fc.oneof(
  fc.stringMatching(/^[!-~]{1,20}$/),
  fc.array(fc.stringMatching(/^[!-~]{1,8}$/), { minLength: 1, maxLength: 2 }),
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('set' as const), name, value }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('append' as const), name, texts }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), name }) },
);
const steps = fc.array(step, { maxLength: 12 });
// Node writes both of two names that differ in case alone, but only when no field was set before.
const given = fc.dictionary(
  fc.constantFrom('X-One', 'vary', 'ETag', 'X-Three'),
  fc.oneof(fc.stringMatching(/^[!-~]{0,20}$/), fc.integer()),
  { maxKeys: 3 },
);

describe('the response', () => {
  it("writes the same bytes as node's own, however its fields came about", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.option(given), fc.boolean(), async (steps, last, looking) => {
        const seen: unknown[] = [];
        const { ours, nodes } = await both((response) => {
          const looks: unknown[] = [];
          // Node adds to the very array that a field was set to.
          for (const each of structuredClone(steps)) {
            if (each.do === 'set') response.setHeader(each.name, each.value);
            else if (each.do === 'remove') response.removeHeader(each.name);
            else if (each.do === 'append') response.appendHeader(each.name, each.texts);
            else looks.push(response.getHeader(each.name), response.hasHeader(each.name));
          }
          if (looking) looks.push(response.getHeaders(), response.getHeaderNames());
          seen.push(looks);
          response.writeHead(200, last ?? undefined).end('body');
        });
        expect(ours).toBe(nodes);
        expect(seen[0]).toEqual(seen[1]);
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, Write, RegExp]>([
    ['a phrase', (response) => response.writeHead(200, 'Fine', { 'X-A': '1' }).end(), /200 Fine\r\n/],
    [
      'a list of fields',
      (response) => response.setHeader('X-A', '1').writeHead(200, ['x-a', '2', 'X-B', '3']).end(),
      /X-B: 3\r\n/,
    ],
    [
      'fields of a response whose head nobody wrote',
      (response) => response.setHeader('X-A', '1').end('a'),
      /X-A/,
    ],
    [
      'a look at common fields after they were written',
      (response) => {
        response.writeHead(200);
        response.end(JSON.stringify([response.getHeader('link'), response.hasHeader('X-TWO')]));
      },
      /",true\]\r/,
    ],
    [
      'no field that comes after its head',
      (response) => {
        response.writeHead(200);
        const late = [
          () => response.setHeader('X-A', '1'),
          () => response.appendHeader('X-A', '1'),
          () => {
            response.removeHeader('X-A');
          },
          () => response.writeHead(200),
        ];
        response.end(late.map(codeOf).join());
      },
      /(?:,?ERR_HTTP_HEADERS_SENT){4}\r/,
    ],
  ])('takes %s as node does', async (_what, how, expected) => {
    const { ours, nodes } = await both(how);
    expect(ours).toBe(nodes);
    expect(ours).toMatch(expected);
  });

  it('is none of a caller who has a line break in a field, but says so', async () => {
    const { ours } = await both((response) => {
      response.setHeader('X-A', 'a\r\nX-Forged: 1');
      response.writeHead(200).end();
    });
    expect(ours).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n[\s\S]*ERR_INVALID_CHAR/);
    expect(ours).not.toContain('X-Forged');
  });
});
