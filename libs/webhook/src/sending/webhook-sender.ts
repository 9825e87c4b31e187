import { RefusedAddressError, type ResolveAddresses, resolveByDns } from '../address/safe-lookup.js';
import type { AddressPolicy } from '../address/address-policy.js';
import { type AttemptOutcome, failureOf, outcomeOf } from './attempt-outcome.js';
import type { ConnectorOptions, EndpointAgent } from './endpoint-agent.js';
import { startTimeout } from './timeout.js';

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
const TOTAL_TIMEOUT_MS = 15_000;
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
  private readonly connecting: ConnectorOptions;
  private readonly totalTimeoutMs: number;
  private agent: Promise<EndpointAgent> | undefined;
  private isDestroyed = false;

  constructor(options: SenderOptions) {
    const { policy, proxy, ca, resolve = resolveByDns() } = options;
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options;
    this.connecting = { policy, resolve, proxy, ca, connectTimeoutMs };
    this.totalTimeoutMs = totalTimeoutMs;
  }

  /**
   * Sends one message and says what came of it.
   *
   * @throws Error only if the sender was destroyed: what the endpoint has received is not known then
   */
  async send({ url, headers, body }: WebhookMessage): Promise<AttemptOutcome> {
    const abort = new AbortController();
    let endTimer = startTimeout(this.totalTimeoutMs, () => {
      abort.abort(new DOMException('The endpoint has not responded in time.', 'TimeoutError'));
    });
    let interim = 0;
    try {
      const { policy, proxy } = this.connecting;
      const endpoint = new URL(url);
      if (!policy.permitsUrl(endpoint, proxy !== undefined)) throw new RefusedAddressError();
      const agent = await (this.agent ??= this.loadAgent());
      const response = await agent.request({
        origin: endpoint.origin,
        path: `${endpoint.pathname}${endpoint.search}`,
        method: 'POST',
        headers,
        body,
        signal: abort.signal,
        reset: agent.isCrowded,
        onInfo: () => {
          if (++interim > MAX_INTERIM) abort.abort(new Error('The endpoint sends interim responses only.'));
        },
      });
      endTimer();
      endTimer = startTimeout(BODY_TIMEOUT_MS, () => {
        response.body.destroy();
      });
      await response.body.dump({ limit: MAX_BODY_BYTES });
      return outcomeOf(response);
    } catch (error) {
      if (this.isDestroyed) throw error;
      return { isDelivered: false, error: failureOf(error) };
    } finally {
      endTimer();
    }
  }

  /** Ends the requests that are under way, and closes all connections. */
  async destroy(): Promise<void> {
    this.isDestroyed = true;
    await (await this.agent)?.destroy();
  }

  /** Only services that send need undici, and none needs it to start: it takes 50 ms to load. */
  private async loadAgent(): Promise<EndpointAgent> {
    const loaded = await import('./endpoint-agent.js');
    return new loaded.EndpointAgent(this.connecting);
  }
}
