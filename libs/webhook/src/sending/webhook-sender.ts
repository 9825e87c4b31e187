import { AddressError, type ResolveAddresses, resolveByDns } from '../address/safe-lookup.js';
import type { AddressPolicy } from '../address/address-policy.js';
import { type AttemptOutcome, failureOf, outcomeOf } from './attempt-outcome.js';
import type { AgentOptions, EndpointConnections } from './endpoint-agent.js';

export interface SenderOptions {
  readonly policy: AddressPolicy;
  /** URL of an egress proxy; direct connections when left out. */
  readonly proxy?: string | undefined;
  /** Until a connection must be open, TLS included, in milliseconds; up to a second later. */
  readonly connectTimeoutMs?: number;
  /** Until a response must be there, connecting included, in milliseconds. */
  readonly totalTimeoutMs?: number;
  /** The name servers of the system when left out. */
  readonly resolve?: ResolveAddresses;
  /** Certificates in PEM to trust instead of those of the system. */
  readonly ca?: string;
}

/** What a request of a webhook is made of. */
export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In UTF-8. */
  readonly body: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** From the beginning of an attempt to the response, in milliseconds. */
export const TOTAL_TIMEOUT_MS = 15_000;
/** A body is read to its end, so that the connection can be used again, up to here; then the connection is closed. */
const MAX_BODY_BYTES = 16 * 1_024;
const BODY_TIMEOUT_MS = 1_000;
/**
 * Interim responses (1xx; RFC 9110, section 15.2) before the one that counts. There is hardly ever one; a flood of them
 * would keep the event loop busy until the time is up.
 */
const MAX_INTERIM = 10;

/**
 * Sends requests to endpoints. Addresses are judged when connecting, and exactly those are dialled; no redirect is
 * followed; of a response only status and `Retry-After` are read.
 */
export class WebhookSender {
  private readonly options: AgentOptions;
  private readonly totalTimeoutMs: number;
  private connections: Promise<EndpointConnections> | undefined;
  private isDestroyed = false;

  constructor({ totalTimeoutMs = TOTAL_TIMEOUT_MS, ...options }: SenderOptions) {
    this.options = { connectTimeoutMs: CONNECT_TIMEOUT_MS, resolve: resolveByDns(), ...options };
    this.totalTimeoutMs = totalTimeoutMs;
  }

  /**
   * Sends one message and says what came of it.
   *
   * @throws Error only if the sender was destroyed: what the endpoint has received is not known then
   */
  async send({ url, headers, body }: WebhookMessage): Promise<AttemptOutcome> {
    // No AbortSignal.any: Node.js 20 collects the time limit inside as garbage, and then it never ends.
    const attempt = new AbortController();
    const timer = setTimeout(() => {
      attempt.abort(new DOMException('No response in time.', 'TimeoutError'));
    }, this.totalTimeoutMs);
    let interim = 0;
    try {
      const endpoint = new URL(url);
      if (!this.options.policy.permitsUrl(endpoint, this.options.proxy !== undefined))
        throw new AddressError('refused_address');
      const connections = await (this.connections ??= this.load());
      const response = await connections.agent.request({
        origin: endpoint.origin,
        path: `${endpoint.pathname}${endpoint.search}`,
        method: 'POST',
        headers,
        body,
        signal: attempt.signal,
        reset: connections.isCrowded,
        onInfo: () => {
          if (++interim > MAX_INTERIM) attempt.abort(new Error('The endpoint sends interim responses only.'));
        },
      });
      const bodySignal = AbortSignal.timeout(BODY_TIMEOUT_MS);
      await response.body.dump({ limit: MAX_BODY_BYTES, signal: bodySignal }).catch(() => undefined);
      return outcomeOf(response);
    } catch (error) {
      if (this.isDestroyed) throw error;
      return { isDelivered: false, error: failureOf(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the requests that are under way, and closes all connections. */
  async destroy(): Promise<void> {
    this.isDestroyed = true;
    await (await this.connections)?.agent.destroy();
  }

  /** Only services that send need undici, and none needs it to start: it takes 50 ms to load. */
  private async load(): Promise<EndpointConnections> {
    const { EndpointConnections: Connections } = await import('./endpoint-agent.js');
    return new Connections(this.options);
  }
}
