import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { WebhookTargets } from '../address/webhook-targets.js';
import type { ResolveAddresses } from './address-resolver.js';
import type { EgressProxy } from './egress-proxy.js';
import { guardedLookup, RefusedAddressError, refusalOfLiteral } from './guarded-lookup.js';

/** How connections are opened. */
export interface Dialling {
  readonly targets: WebhookTargets;
  readonly resolve: ResolveAddresses;
  /** Connections go through it where there is one. */
  readonly proxy: EgressProxy | undefined;
  /** Certificates in PEM to trust instead of those of the system. */
  readonly ca?: string | undefined;
}

/** What a connection is opened to. */
export interface Origin {
  readonly protocol: string;
  /** A name or a literal address, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** From one address of a name to the next one, in milliseconds; beyond the usual time for a connection. */
const NEXT_ADDRESS_MS = 1_500;
/** TLS sessions that are kept for the next handshake. */
const MOST_SESSIONS = 100;

/** Opens connections to permitted addresses only; certificates are always verified. */
export class GuardedConnector {
  private readonly sessions = new Map<string, Buffer>();

  constructor(private readonly dialling: Dialling) {}

  /**
   * A socket that is being connected, or is connected as far as the proxy. An error of it is no error of the process,
   * also while nobody listens.
   *
   * @throws {RefusedAddressError}
   * @throws Error when a proxy does not connect
   */
  async open(origin: Origin): Promise<Socket> {
    const { targets, proxy } = this.dialling;
    const { protocol, host, port } = origin;
    const refusal =
      refusalOfLiteral(targets, protocol, host) ?? refusalThroughProxy(targets, protocol, host, proxy);
    if (refusal !== undefined) throw refusal;
    if (proxy === undefined) return this.direct(origin);
    const tunnel = await proxy.connect(host, port);
    return protocol === 'https:' ? this.secure(origin, { socket: tunnel }) : tunnel;
  }

  private direct(origin: Origin): Socket {
    const { protocol, host, port } = origin;
    const { targets, resolve } = this.dialling;
    const dialled: TcpNetConnectOpts = {
      host,
      port,
      lookup: guardedLookup(targets, protocol, resolve),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      noDelay: true,
    };
    return protocol === 'https:' ? this.secure(origin, dialled) : listening(connectTcp(dialled));
  }

  private secure({ host, port }: Origin, by: ConnectionOptions): Socket {
    const name = `${host}:${port}`;
    const { ca } = this.dialling;
    const session = this.sessions.get(name);
    const socket = connectTls({
      ...by,
      host,
      // An address is no server name (RFC 6066, section 3); the certificate has to hold for it all the same.
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
      ...(session !== undefined && { session }),
    });
    socket.on('session', (next) => {
      this.keep(name, next);
    });
    return listening(socket);
  }

  private keep(name: string, session: Buffer): void {
    this.sessions.delete(name);
    this.sessions.set(name, session);
    for (const [oldest] of this.sessions) {
      if (this.sessions.size <= MOST_SESSIONS) break;
      this.sessions.delete(oldest);
    }
  }
}

/** Nobody here can judge where the proxy finds a name, and `http` may go to allowed networks only. */
function refusalThroughProxy(
  targets: WebhookTargets,
  protocol: string,
  host: string,
  proxy: EgressProxy | undefined,
): RefusedAddressError | undefined {
  const isJudged = proxy === undefined || protocol === 'https:' || targets.permits(protocol, host);
  return isJudged ? undefined : new RefusedAddressError();
}

/** An error of a socket that nobody uses would end the process. */
function listening<Opened extends Socket>(socket: Opened): Opened {
  return socket.on('error', () => undefined);
}
