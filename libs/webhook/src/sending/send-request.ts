import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { AttemptOutcome } from './attempt-outcome.js';
import { failureOf, isLost, type RequestPhase } from './attempt-failure.js';
import { parseRetryAfter } from './retry-after.js';

/** One request. */
export interface SentRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly agent: Agent;
  readonly connectTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** What came of it. */
export interface SentResult {
  readonly outcome: AttemptOutcome;
  /** An idle connection was used that the other side had closed. */
  readonly isStale: boolean;
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
export function sendRequest(sent: SentRequest, signal: AbortSignal): Promise<SentResult> {
  const { url, headers, body, agent } = sent;
  const isSecure = url.protocol === 'https:';
  const send = isSecure ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    let phase: RequestPhase = 'connecting';
    let result: SentResult | undefined;
    /** The first one counts. */
    const decide = (outcome: AttemptOutcome, isStale = false): void => {
      result ??= { outcome, isStale };
    };
    const request: ClientRequest = send(url, { method: 'POST', headers, agent });
    const giveUp = (): void => {
      decide(TIMEOUT);
      request.destroy();
    };
    const timers = [setTimeout(giveUp, sent.totalTimeoutMs)];
    const connecting = setTimeout(giveUp, sent.connectTimeoutMs);
    timers.push(connecting);
    const connected = (): void => {
      phase = 'connected';
      clearTimeout(connecting);
    };
    signal.addEventListener('abort', giveUp);
    request.on('socket', (socket: Socket) => {
      // One that is used again, or that a proxy has opened.
      if (request.reusedSocket || (!isSecure && !socket.connecting)) connected();
      else {
        if (!socket.connecting) phase = 'handshake';
        socket.once('connect', () => (phase = 'handshake'));
        socket.once(isSecure ? 'secureConnect' : 'connect', connected);
      }
    });
    let interim = 0;
    request.on('information', () => {
      if (++interim > MOST_INTERIM) request.destroy();
    });
    request.on('response', (response) => {
      decide(outcomeOf(response));
      timers.push(discardBody(response));
    });
    request.on('error', (error) => {
      decide({ isDelivered: false, error: failureOf(error, phase) }, request.reusedSocket && isLost(error));
    });
    // Always the last event, also of a response that switches protocols, which is none to us.
    request.on('close', () => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      decide({ isDelivered: false, error: 'connection' });
      if (result !== undefined) resolve(result);
    });
    request.end(body);
  });
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return { isDelivered: true, responseStatus: statusCode };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
  return { isDelivered: false, error: 'http_status', responseStatus: statusCode, retryAfterMs };
}

function discardBody(response: IncomingMessage): NodeJS.Timeout {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
  return setTimeout(() => response.destroy(), BODY_TIMEOUT_MS);
}
