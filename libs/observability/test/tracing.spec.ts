import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { parseTraceparent, startTracing, type Tracing } from '../src/index.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** What of an OTLP request (opentelemetry-proto, JSON encoding) the tests look at. */
interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}

let receiver: Server;
let tracing: Tracing;
let received: { readonly path: string | undefined; readonly body: Exported }[];
const request = new IncomingMessage(new Socket());
request.method = 'GET';

beforeEach(async () => {
  received = [];
  receiver = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      received.push({ path: incoming.url, body: JSON.parse(Buffer.concat(chunks).toString()) as Exported });
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  tracing = await startTracing({
    endpoint: `http://127.0.0.1:${port}`,
    serviceName: 'petstore-test',
    version: '1.2.3',
  });
});
afterEach(async () => {
  await tracing.close();
  receiver.close();
  receiver.closeAllConnections();
});

describe('tracing', () => {
  it('sends a span for each request to the receiver, below the one of its caller', async () => {
    const traceId = tracing.record({
      request,
      operation: 'listPets',
      requestId: 'request-1',
      startedAt: 1_700_000_000_000,
      durationMs: 25,
      status: 503,
      parent: parseTraceparent(`00-${TRACE}-${SPAN}-01`),
    });
    expect(traceId).toBe(TRACE);
    await tracing.close();

    const [{ path, body } = { path: '', body: { resourceSpans: [] } }] = received;
    expect(path).toBe('/v1/traces');
    const [resource] = body.resourceSpans;
    expect(resource?.resource.attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'petstore-test' } },
        { key: 'service.version', value: { stringValue: '1.2.3' } },
      ]),
    );
    const span = resource?.scopeSpans[0]?.spans[0];
    expect(span).toMatchObject({ name: 'listPets', traceId: TRACE, parentSpanId: SPAN, kind: 2 });
    expect(span?.startTimeUnixNano).toBe('1700000000000000000');
    expect(span?.endTimeUnixNano).toBe('1700000000025000000');
    expect(span?.status.code).toBe(2);
    expect(span?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 503 } });
  });

  it('begins a trace of its own where the caller brings none, and respects one that is not recorded', async () => {
    const own = {
      request,
      operation: 'getPet',
      requestId: undefined,
      startedAt: 0,
      durationMs: 1,
      status: 200,
    };
    expect(tracing.record({ ...own, parent: undefined })).toMatch(/^[0-9a-f]{32}$/);
    tracing.record({ ...own, parent: parseTraceparent(`00-${TRACE}-${SPAN}-00`) });
    await tracing.close();
    const spans = received.flatMap(({ body }) =>
      body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
    expect(spans).toHaveLength(1);
    expect(spans[0]?.traceId).not.toBe(TRACE);
  });

  it('ends in time when the receiver is unavailable', async () => {
    receiver.close();
    receiver.closeAllConnections();
    tracing.record({
      request,
      operation: 'getPet',
      requestId: undefined,
      startedAt: 0,
      durationMs: 1,
      status: 200,
      parent: undefined,
    });
    const before = performance.now();
    await tracing.close();
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
