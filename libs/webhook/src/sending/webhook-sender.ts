import { setMaxListeners } from 'node:events';
import type { AttemptOutcome } from './attempt-outcome.js';
import type { WebhookTargets } from '../address/webhook-targets.js';
import { type ResolveAddresses, resolveByDns } from './address-resolver.js';
import { EgressProxy } from './egress-proxy.js';
import { EndpointConnections } from './endpoint-connections.js';
import { GuardedConnector } from './guarded-connector.js';
import { requestTargetOf } from './request-target.js';
import { sendRequest } from './send-request.js';

export interface SenderOptions {
  readonly targets: WebhookTargets;
  /** URL of an egress proxy; direct connections when left out. */
  readonly proxy?: string | undefined;
  /** Until a connection must be open, TLS included, in milliseconds. */
  readonly connectTimeoutMs?: number;
  /** Until a response must be there, connecting included, in milliseconds. */
  readonly totalTimeoutMs?: number;
  /** The name servers of the system when left out. */
  readonly resolve?: ResolveAddresses;
  /** Certificates in PEM to trust instead of those of the system. */
  readonly ca?: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
const TOTAL_TIMEOUT_MS = 15_000;

/** What a request of a webhook is made of. */
export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In UTF-8. */
  readonly body: string;
}

/**
 * Sends requests to endpoints. Addresses are judged when connecting, and exactly those are dialled; no redirect is
 * followed; of a response only status and `Retry-After` are read.
 */
export class WebhookSender {
  private readonly connections: EndpointConnections;
  private readonly targets: WebhookTargets;
  private readonly connectTimeoutMs: number;
  private readonly totalTimeoutMs: number;

  constructor(options: SenderOptions) {
    const { targets, resolve = resolveByDns(), ca, proxy } = options;
    this.targets = targets;
    this.connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    this.totalTimeoutMs = options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
    const egress = proxy === undefined ? undefined : new EgressProxy(proxy, this.connectTimeoutMs);
    this.connections = new EndpointConnections(new GuardedConnector({ targets, resolve, proxy: egress, ca }));
  }

  /**
   * Sends one message and says what came of it.
   *
   * @param signal gives up: what the endpoint has received is not known then; any number of messages may share one
   * @throws the reason of the signal, nothing else
   */
  async send(message: WebhookMessage, signal: AbortSignal): Promise<AttemptOutcome> {
    const { headers, body } = message;
    const target = requestTargetOf(message.url);
    if (!this.targets.permitsProtocol(target.protocol))
      return { isDelivered: false, error: 'refused_address' };
    // Node.js would warn of more than ten at a time.
    setMaxListeners(Infinity, signal);
    signal.throwIfAborted();
    const { connections, connectTimeoutMs, totalTimeoutMs } = this;
    const outcome = await sendRequest(
      { target, headers, body, connections, connectTimeoutMs, totalTimeoutMs },
      signal,
    );
    signal.throwIfAborted();
    return outcome;
  }

  /** Closes the connections that nobody uses. */
  close(): void {
    this.connections.close();
  }
}
