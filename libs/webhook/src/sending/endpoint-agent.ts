import { Agent, buildConnector, Pool, ProxyAgent } from 'undici';
import { AddressError, safeLookup, type ResolveAddresses } from '../address/safe-lookup.js';
import type { AddressPolicy } from '../address/address-policy.js';
import { ignoreContinue } from './ignore-continue.js';

export interface AgentOptions {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveAddresses;
  /** URL of an egress proxy that connections go through. */
  readonly proxy?: string | undefined;
  /** Certificates in PEM to trust instead of those of the system. */
  readonly ca?: string | undefined;
  /** Until a connection must be open, TLS included, in milliseconds. */
  readonly connectTimeoutMs: number;
}

/** Less than the five seconds after which many servers close an idle connection, in milliseconds. */
const IDLE_TIMEOUT_MS = 4_000;
/** Before the time after which a server says that it closes an idle connection, in milliseconds. */
const HINT_MARGIN_MS = 1_000;
/** While more connections than these are open, each is closed after its response. */
const MAX_KEPT_CONNECTIONS = 256;

/** From one address of a name to the next one, in milliseconds; beyond the usual time for a connection. */
const NEXT_ADDRESS_MS = 1_500;

/** How a proxy says that it does not connect there: Smokescreen says 407, others 403. */
const DENIAL = /^Proxy response \((?:403|407)\)/;

/** The connections to endpoints, kept apart from the sender to be loaded with undici when it first sends. */
export class EndpointConnections {
  readonly agent: Agent | ProxyAgent;
  private open = 0;

  constructor(private readonly options: AgentOptions) {
    const { proxy, ca, connectTimeoutMs } = options;
    const shared = {
      factory: this.poolOf,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
      keepAliveTimeoutThreshold: HINT_MARGIN_MS,
      // The sender has time limits for all of a response, these are between two parts of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.agent =
      proxy === undefined
        ? new Agent(shared)
        : new ProxyAgent({
            ...shared,
            uri: proxy,
            requestTls: { timeout: connectTimeoutMs, ...(ca !== undefined && { ca }) },
            // A tunnel that the proxy does not open in time is given up.
            clientFactory: (origin, pool) => new Pool(origin, { ...pool, headersTimeout: connectTimeoutMs }),
          });
  }

  /** Whether the connection of another request is to be closed after its response. */
  get isCrowded(): boolean {
    return this.open > MAX_KEPT_CONNECTIONS;
  }

  /** The connections to one origin. @param options of undici; its `connect` is the tunnel where there is a proxy */
  private readonly poolOf = (origin: string | URL, options: object): Pool => {
    const { connect: tunnel, ...rest } = options as Pool.Options;
    const connector = typeof tunnel === 'function' ? tunnel : this.connectorOf(new URL(origin).protocol);
    return new Pool(origin, {
      ...rest,
      connect: (endpoint, callback) => {
        connector(endpoint, (...[error, socket]) => {
          if (error === null) callback(null, ignoreContinue(socket));
          else callback(connectionFailure(error), null);
        });
      },
    })
      .on('connect', () => this.open++)
      .on('disconnect', () => this.open--);
  };

  /**
   * Connects to permitted addresses only, certificates always verified. A literal address is dialled without a look-up:
   * it must be judged before (`AddressPolicy.permitsUrl`).
   */
  private connectorOf(protocol: string): buildConnector.connector {
    const { policy, resolve, ca, connectTimeoutMs } = this.options;
    return buildConnector({
      timeout: connectTimeoutMs,
      rejectUnauthorized: true,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      lookup: safeLookup(policy, protocol, resolve),
      ...(ca !== undefined && { ca }),
    });
  }
}

function connectionFailure(error: Error): Error {
  if (DENIAL.test(error.message)) return new AddressError('refused_address');
  // With this code, of a proxy that closes the connection, undici would connect again and again.
  if ((error as NodeJS.ErrnoException).code !== 'UND_ERR_SOCKET') return error;
  return new Error('The proxy has closed the connection.', { cause: error });
}
