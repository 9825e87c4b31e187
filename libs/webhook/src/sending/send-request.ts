import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { AttemptOutcome } from './attempt-outcome.js';
import { failureOf, type RequestPhase } from './attempt-failure.js';
import type { EndpointConnection, EndpointConnections } from './endpoint-connections.js';
import type { RequestTarget } from './request-target.js';
import { parseRetryAfter } from './retry-after.js';

/** One request. */
export interface SentRequest {
  readonly target: RequestTarget;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: EndpointConnections;
  readonly connectTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** A body is read to its end, so that the connection can be used again, up to here; then the connection is closed. */
const MOST_BODY_BYTES = 16 * 1_024;
const BODY_TIMEOUT_MS = 1_000;
/**
 * Interim responses (1xx; RFC 9110, section 15.2) before the one that counts. There is hardly ever one; a flood of them
 * would keep the event loop busy until the time is up.
 */
const MOST_INTERIM = 10;

const TIMEOUT: AttemptOutcome = { isDelivered: false, error: 'timeout' };

/**
 * Sends a request and waits for the head of its response; then for the end of the body, which nobody keeps, for a
 * second at the most. Never rejects. Ends early, with whatever result, when `signal` is aborted.
 */
export function sendRequest(sent: SentRequest, signal: AbortSignal): Promise<AttemptOutcome> {
  return new Promise((resolve) => {
    new Exchange(sent, signal, resolve).begin();
  });
}

/** A request and its response. */
class Exchange {
  private request: ClientRequest | undefined;
  private phase: RequestPhase = 'connecting';
  private outcome: AttemptOutcome | undefined;
  private interim = 0;
  private readonly total: NodeJS.Timeout;
  private connecting: NodeJS.Timeout | undefined;
  private reading: NodeJS.Timeout | undefined;

  constructor(
    private readonly sent: SentRequest,
    private readonly signal: AbortSignal,
    private readonly ended: (outcome: AttemptOutcome) => void,
  ) {
    this.total = setTimeout(this.giveUp, sent.totalTimeoutMs);
    signal.addEventListener('abort', this.giveUp);
  }

  begin(): void {
    const { connections, target } = this.sent;
    const idle = connections.take(target);
    if (idle !== undefined) {
      // Whether the other side has closed it is known when the event loop has polled: between two `setImmediate`.
      setImmediate(setImmediate, () => {
        if (this.outcome !== undefined) idle.destroy();
        else if (idle.isUsable) this.use(idle);
        else this.begin();
      });
      return;
    }
    this.connecting = setTimeout(this.giveUp, this.sent.connectTimeoutMs);
    connections.open(target).then(
      (connection) => {
        if (this.outcome === undefined) this.use(connection);
        else connection.destroy();
      },
      (error: unknown) => {
        this.fail(error);
        this.end();
      },
    );
  }

  private use(connection: EndpointConnection): void {
    try {
      this.send(connection);
    } catch (error) {
      // What cannot be sent in any request.
      connection.destroy();
      this.fail(error);
      this.end();
    }
  }

  private readonly giveUp = (): void => {
    this.decide(TIMEOUT);
    if (this.request === undefined) this.end();
    else this.request.destroy();
  };

  private send(connection: EndpointConnection): void {
    const { target, headers, body } = this.sent;
    const send = target.isSecure ? requestHttps : requestHttp;
    // What `node:http` calls an agent-like object; its types know agents only.
    const agent = connection as unknown as Agent;
    const { protocol, host, port, path } = target;
    const request = send({ protocol, host, port, path, method: 'POST', headers, agent });
    this.request = request;
    request.on('socket', this.onSocket);
    request.on('information', () => {
      if (++this.interim > MOST_INTERIM) request.destroy();
    });
    request.on('response', (response) => {
      this.decide(outcomeOf(response));
      connection.noteResponse(response);
      this.discardBody(response);
    });
    request.on('error', (error) => {
      this.fail(error);
    });
    // Always the last event, also of a response that switches protocols, which is none to us.
    request.on('close', () => {
      this.decide({ isDelivered: false, error: 'connection' });
      this.end();
    });
    request.end(body);
  }

  private readonly onSocket = (socket: Socket): void => {
    const { isSecure } = this.sent.target;
    const connected = (): void => {
      this.phase = 'connected';
      clearTimeout(this.connecting);
    };
    // One that is used again, or that a proxy has opened.
    if (this.connecting === undefined || (!isSecure && !socket.connecting)) connected();
    else {
      if (!socket.connecting && !socket.destroyed) this.phase = 'handshake';
      socket.once('connect', () => (this.phase = 'handshake'));
      socket.once(isSecure ? 'secureConnect' : 'connect', connected);
    }
  };

  private discardBody(response: IncomingMessage): void {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BODY_BYTES) response.destroy();
    });
    response.on('error', () => undefined);
    this.reading = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS);
  }

  private fail(error: unknown): void {
    this.decide({ isDelivered: false, error: failureOf(error, this.phase) });
  }

  /** The first one counts. */
  private decide(outcome: AttemptOutcome): void {
    this.outcome ??= outcome;
  }

  private end(): void {
    for (const timer of [this.total, this.connecting, this.reading]) clearTimeout(timer);
    this.signal.removeEventListener('abort', this.giveUp);
    if (this.outcome !== undefined) this.ended(this.outcome);
  }
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return { isDelivered: true, responseStatus: statusCode };
  // No status of HTTP (RFC 9110, section 15), though the parser takes it for one.
  if (statusCode < 100) return { isDelivered: false, error: 'connection' };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
  return { isDelivered: false, error: 'http_status', responseStatus: statusCode, retryAfterMs };
}
