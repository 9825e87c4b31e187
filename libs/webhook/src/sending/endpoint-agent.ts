import { isIP, isIPv6, type Socket } from 'node:net';
import { Agent, buildConnector, Pool } from 'undici';
import { safeLookup, RefusedAddressError, type ResolveAddresses } from '../address/safe-lookup.js';
import type { AddressPolicy } from '../address/address-policy.js';
import { ignoreContinue } from './ignore-continue.js';

export interface ConnectorOptions {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveAddresses;
  /** URL of an egress proxy that connections go through. */
  readonly proxy?: string | undefined;
  /** Certificates in PEM to trust instead of those of the system. */
  readonly ca?: string | undefined;
  /** Until a connection must be open, TLS included, in milliseconds. */
  readonly connectTimeoutMs: number;
}

type Tunnel = (dialled: buildConnector.Options) => Promise<Socket>;

/** Less than the five seconds after which many servers close an idle connection, in milliseconds. */
const IDLE_TIMEOUT_MS = 4_000;
/** Before the time after which a server says that it closes an idle connection, in milliseconds. */
const HINT_MARGIN_MS = 1_000;
/** While more connections than these are open, each is closed after its response. */
const MAX_KEPT_CONNECTIONS = 256;

/** From one address of a name to the next one, in milliseconds; beyond the usual time for a connection. */
const NEXT_ADDRESS_MS = 1_500;

/** How a proxy says that it does not connect there: Smokescreen says 407, others 403. */
const DENIALS: ReadonlySet<number> = new Set([403, 407]);

/** The connections to endpoints. Kept apart from the sender to be loaded with undici when it first sends. */
export class EndpointAgent extends Agent {
  private open = 0;

  constructor(options: ConnectorOptions) {
    super({
      connect: safeConnector(options),
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
      keepAliveTimeoutThreshold: HINT_MARGIN_MS,
      // The sender has timers for all of a response, these are between two parts of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.on('connect', () => this.open++);
    this.on('disconnect', () => this.open--);
  }

  /** Whether the connection of another request is to be closed after its response. */
  get isCrowded(): boolean {
    return this.open > MAX_KEPT_CONNECTIONS;
  }
}

/**
 * How undici opens connections to endpoints: to permitted addresses only, certificates always verified. A literal
 * address is dialled without a look-up: it must be judged before (`AddressPolicy.permitsUrl`).
 */
function safeConnector(options: ConnectorOptions): buildConnector.connector {
  const { policy, resolve, proxy, ca, connectTimeoutMs } = options;
  const connectorOf = (protocol: string): buildConnector.connector =>
    buildConnector({
      timeout: connectTimeoutMs,
      rejectUnauthorized: true,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      lookup: safeLookup(policy, protocol, resolve),
      ...(ca !== undefined && { ca }),
    });
  const [http, https] = [connectorOf('http:'), connectorOf('https:')];
  const tunnel = proxy === undefined ? undefined : tunnelThrough(proxy, connectTimeoutMs);
  return (endpoint, callback) => {
    const { hostname } = endpoint;
    // A server name has no dot at its end (RFC 6066, section 3).
    const dialled = { ...endpoint, servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '' };
    const isSecure = dialled.protocol === 'https:';
    const direct = isSecure ? https : http;
    const connected: buildConnector.Callback = (...result) => {
      if (result[0] === null) callback(null, ignoreContinue(result[1]));
      else callback(result[0], null);
    };
    if (tunnel === undefined) {
      direct(dialled, connected);
      return;
    }
    tunnel(dialled).then(
      (httpSocket) => {
        if (isSecure) direct({ ...dialled, httpSocket }, connected);
        else connected(null, httpSocket);
      },
      (error: unknown) => {
        callback(error as Error, null);
      },
    );
  };
}

/**
 * Connections through an egress proxy (RFC 9110, section 9.3.6), which resolves names and judges addresses.
 *
 * @param proxy `http`, with user and password if it asks for them
 */
function tunnelThrough(proxy: string, connectTimeoutMs: number): Tunnel {
  const { origin, username, password } = new URL(proxy);
  const credentials = Buffer.from([username, password].map(decodeURIComponent).join(':')).toString('base64');
  const pool = new Pool(origin, { connect: { timeout: connectTimeoutMs } });
  return async ({ hostname, port, protocol }) => {
    const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
    const path = `${host}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
    const { statusCode, socket } = await pool.connect({
      path,
      headers: { host: path, ...(username !== '' && { 'proxy-authorization': `Basic ${credentials}` }) },
      signal: AbortSignal.timeout(connectTimeoutMs),
    });
    // The endpoint speaks second: what has arrived by now is not its response.
    if (statusCode === 200 && socket.readableLength === 0) return socket as Socket;
    socket.on('error', () => undefined).destroy();
    throw DENIALS.has(statusCode)
      ? new RefusedAddressError()
      : new Error('The proxy could not connect to the endpoint.');
  };
}
