import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import fc from 'fast-check';
import { parseTraceparent, startTracing, type Tracing } from '../src/tracing.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** What of an OTLP request (opentelemetry-proto, JSON encoding) the tests look at. */
interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly object[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly { readonly traceId: string; readonly attributes: readonly object[] }[];
    }[];
  }[];
}

describe('the spans of requests', () => {
  let receiver: Server;
  let tracing: Tracing;
  let received: { readonly path: string | undefined; readonly body: Exported }[];

  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  const span: Parameters<Tracing['record']>[0] = {
    request,
    operation: 'listPets',
    requestId: 'request-1',
    startedAt: 1_700_000_000_000,
    durationMs: 25,
    status: 503,
    parent: undefined,
  };

  beforeEach(async () => {
    received = [];
    receiver = createServer((incoming, response) => {
      void json(incoming).then((body) => {
        received.push({ path: incoming.url, body: body as Exported });
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    tracing = await startTracing({ endpoint, serviceName: 'petstore-test', version: '1.2.3' });
  });
  afterEach(async () => {
    await tracing.close();
    receiver.close();
    receiver.closeAllConnections();
  });

  it('are sent to the receiver, below those of their callers', async () => {
    expect(tracing.record({ ...span, parent: parseTraceparent(`00-${TRACE}-${SPAN}-01`) })).toBe(TRACE);
    await tracing.close();
    const [{ path, body } = { path: '', body: { resourceSpans: [] } }] = received;
    expect(path).toBe('/v1/traces');
    const [exported] = body.resourceSpans;
    expect(exported?.resource.attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'petstore-test' } },
        { key: 'service.version', value: { stringValue: '1.2.3' } },
      ]),
    );
    const sent = exported?.scopeSpans[0]?.spans[0];
    expect(sent).toMatchObject({
      name: 'listPets',
      traceId: TRACE,
      parentSpanId: SPAN,
      kind: 2,
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000000025000000',
      status: { code: 2 },
    });
    expect(sent?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 503 } });
  });

  it('begin a trace of their own where the caller brings none, and are none where it is not recorded', async () => {
    expect(tracing.record(span)).toMatch(/^[0-9a-f]{32}$/);
    tracing.record({ ...span, parent: parseTraceparent(`00-${TRACE}-${SPAN}-00`) });
    await tracing.close();
    const spans = received
      .flatMap(({ body }) => body.resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    expect(spans).toHaveLength(1);
    expect(spans[0]?.traceId).not.toBe(TRACE);
  });

  it('hold up no end when the receiver is unavailable', async () => {
    receiver.close();
    receiver.closeAllConnections();
    tracing.record(span);
    // Else the exporter would try again for more than the time limit of the test.
    await tracing.close();
  });
});

describe('a traceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, { traceId: TRACE, parentId: SPAN, sampled: true }],
    [`00-${TRACE}-${SPAN}-02`, { traceId: TRACE, parentId: SPAN, sampled: false }],
    // Of a later version what is known.
    [`cc-${TRACE}-${SPAN}-01-what-comes`, { traceId: TRACE, parentId: SPAN, sampled: true }],
    [`ff-${TRACE}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${SPAN}-01-more`, undefined],
    [`00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, undefined],
  ])('%s is read as %j', (header, expected) => {
    expect(parseTraceparent(header)).toEqual(expected);
  });

  it('gives nothing but hexadecimal digits, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(parseTraceparent(header)?.traceId ?? TRACE).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
  });
});
