import { Agent as HttpAgent, type AgentOptions as HttpAgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions as HttpsAgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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
}

type Connected = (error: Error | null, stream: Duplex) => void;
/** What it really takes. */
type Done = (error: Error | null, stream?: Duplex) => void;

/** Idle connections of one endpoint: as many as there are attempts at a time. */
const FREE_PER_ENDPOINT = 4;
/** Idle connections of all. */
const MOST_FREE = 256;
/** Less than the five seconds after which many servers close an idle connection, in milliseconds. */
const IDLE_TIMEOUT_MS = 4_000;
/** From one address of a name to the next one, in milliseconds; beyond the usual time for a connection. */
const NEXT_ADDRESS_MS = 1_500;

const OPTIONS: HttpAgentOptions & HttpsAgentOptions = {
  keepAlive: true,
  maxFreeSockets: FREE_PER_ENDPOINT,
  timeout: IDLE_TIMEOUT_MS,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
};

/** Opens connections for `http`, to permitted addresses only. */
export class GuardedHttpAgent extends HttpAgent {
  constructor(private readonly dialling: Dialling) {
    super(OPTIONS);
    boundFree(this);
  }

  override createConnection(options: ClientRequestArgs, connected: Connected): Duplex | undefined {
    return open(this.dialling, 'http:', options, connected, {
      direct: (guarded) => super.createConnection(guarded),
      tunnelled: (socket) => socket,
    });
  }
}

/** Opens connections for `https`, to permitted addresses only; certificates are always verified. */
export class GuardedHttpsAgent extends HttpsAgent {
  /** @param ca certificates to trust instead of those of the system */
  constructor(
    private readonly dialling: Dialling,
    ca?: string,
  ) {
    super({ ...OPTIONS, rejectUnauthorized: true, ...(ca !== undefined && { ca }) });
    boundFree(this);
  }

  override createConnection(options: ClientRequestArgs, connected: Connected): Duplex | undefined {
    return open(this.dialling, 'https:', options, connected, {
      direct: (guarded) => super.createConnection(guarded),
      tunnelled: (socket) => super.createConnection({ ...options, socket } as ClientRequestArgs),
    });
  }
}

/** How an agent makes its sockets. */
interface Sockets {
  direct(options: ClientRequestArgs): Duplex | null | undefined;
  tunnelled(socket: Socket): Duplex | null | undefined;
}

function open(
  { targets, resolve, proxy }: Dialling,
  protocol: string,
  options: ClientRequestArgs,
  connected: Connected,
  sockets: Sockets,
): Duplex | undefined {
  const host = options.host ?? '';
  const done = connected as Done;
  const refusal =
    refusalOfLiteral(targets, protocol, host) ?? refusalThroughProxy(targets, protocol, host, proxy);
  if (refusal !== undefined) {
    process.nextTick(done, refusal);
    return undefined;
  }
  if (proxy === undefined) {
    const socket = sockets.direct({ ...options, lookup: guardedLookup(targets, protocol, resolve) });
    return listening(socket);
  }
  proxy.connect(host, Number(options.port)).then(
    (socket) => {
      done(null, listening(sockets.tunnelled(socket)));
    },
    (error: unknown) => {
      done(error as Error);
    },
  );
  return undefined;
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
function listening(socket: Duplex | null | undefined): Duplex | undefined {
  return socket?.on('error', () => undefined) ?? undefined;
}

/** Closes what becomes idle while there are many idle connections. */
function boundFree(agent: HttpAgent): void {
  agent.on('free', (socket: Duplex) => {
    let count = 0;
    for (const sockets of Object.values(agent.freeSockets)) count += sockets?.length ?? 0;
    if (count > MOST_FREE) socket.destroy();
  });
}
