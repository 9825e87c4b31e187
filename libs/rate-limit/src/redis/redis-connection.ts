import { once } from 'node:events';
import calculateSlot from 'cluster-key-slot';
import type { Cluster, Redis } from 'ioredis';
import type { RedisSnapshot } from '../limiter/rate-limit-result.js';
import type { BanPolicy } from '../policy.js';
import { defineScript, PROBE_REQUEST, readReply, type RunScript, spellPolicy } from './charge-script.js';
import { CLUSTER_OPTIONS, CONNECTION_OPTIONS, SENTINEL_OPTIONS } from './connection-options.js';
import { afterRunning } from './circuit-breaker.js';

/**
 * Time for a connection to become ready, and for the start to wait for Redis; until it is ready limits are kept in the
 * process. With a probe, a server that is back is used within two seconds.
 */
const CONNECT_TIMEOUT_MS = 1_000;
const NO_RESPONSE = `no response within ${CONNECT_TIMEOUT_MS} ms`;
/** Enough names to find one for a node with a single slot. */
const MAX_PROBE_NAMES = 200_000;
/** Where ioredis says no more than that there is no connection. */
const NO_CONNECTION =
  /^(?:Connection is closed|Stream isn't writeable|Reached the max retries|Cluster isn't ready|None of startup nodes|Failed to refresh)/;

/** An error that a server has responded to a command with. */
interface CommandError extends Error {
  readonly command?: { readonly name: string };
}

/** What a {@link RedisConnection} does with its calls. */
export interface RedisConnectionOptions {
  /** What the names of all keys begin with. */
  readonly prefix: string;
  /** `undefined` for no bans. */
  readonly banPolicy: BanPolicy | undefined;
  /** For tests: Unix time in milliseconds; the servers' own time without. */
  readonly clock?: (() => number) | undefined;
}

/**
 * The connection to one Redis server (or whatever stands behind one address or one name of Redis Sentinel), or those to a
 * cluster. A server is called by its address, `host:port`.
 */
export class RedisConnection {
  /** Most subjects in one call. */
  readonly maxTogether: number;
  private readonly client: Redis | Cluster;
  private readonly cluster: Cluster | undefined;
  /** The only server; on a cluster, stands for the server of a slot while none has been announced. */
  private readonly name: string;
  private readonly password: string | null | undefined;
  private readonly runScript: RunScript;
  private readonly policy: string;
  /** Why there is no connection, as far as it is known. */
  private trouble: string | undefined;
  /** The server's refusal of the configured database: the connection is on database 0, and must not be used. */
  private misplaced: Error | undefined;

  /** @param target says where Redis is; it is never used itself */
  constructor(
    target: Redis | Cluster,
    private readonly options: RedisConnectionOptions,
  ) {
    // Not `instanceof`: an application's ioredis may be another copy.
    if (target.isCluster) {
      this.cluster = (target as Cluster).duplicate([], CLUSTER_OPTIONS);
      this.client = this.cluster;
      this.name = 'cluster';
      this.password = this.cluster.options.redisOptions?.password;
      // A slot on the move has keys here and there: only a call with a single key finds all of its keys.
      this.maxTogether = 1;
    } else {
      const { db, sentinels } = (target as Redis).options;
      if (db !== undefined && !(db >= 0)) throw new RangeError(`redis: "${db}" is no database`);
      const options = sentinels ? { ...CONNECTION_OPTIONS, ...SENTINEL_OPTIONS } : CONNECTION_OPTIONS;
      const connection = (target as Redis).duplicate(options);
      this.client = connection;
      this.name = nameOf(connection);
      this.password = connection.options.password;
      // A call occupies the server for about half a millisecond.
      this.maxTogether = 200;
    }
    this.runScript = defineScript(this.client);
    this.policy = spellPolicy(options.banPolicy);
  }

  /**
   * Connects; resolves when all servers are connected to, or after about a second.
   *
   * @param onLost is called, again and again, with the name of a server whose connection is lost, and the reason
   */
  async connect(onLost: (name: string, reason: string) => void): Promise<void> {
    const { client, cluster } = this;
    const note = (error: Error): void => {
      if (!NO_CONNECTION.test(error.message)) this.trouble = this.reasonOf(error);
    };
    client.on('error', note);
    if (cluster === undefined) this.follow(client as Redis, onLost);
    cluster?.on('node error', note);
    cluster?.on('+node', (connection: Redis) => {
      this.follow(connection, onLost);
      // Commands are not queued: it has to be there before the first.
      connection.connect().catch(() => undefined);
    });
    await new Promise<void>((resolve) => {
      const cancel = afterRunning(CONNECT_TIMEOUT_MS, () => {
        this.trouble ??= NO_RESPONSE;
        resolve();
      });
      void this.connectToAll()
        .catch(() => undefined)
        .then(cancel)
        .then(resolve);
    });
  }

  /** The servers that there are keys on. */
  names(): Set<string> {
    const masters = this.cluster?.slots.flatMap((slot) => slot[0] ?? []) ?? [];
    return new Set(masters.length > 0 ? masters : [this.name]);
  }

  /** The server that has the counters of a subject. */
  nameOfServer(id: string): string {
    if (this.cluster === undefined) return this.name;
    return this.cluster.slots[calculateSlot(this.options.prefix + id)]?.[0] ?? this.name;
  }

  /** Asks the script about some subjects. */
  run(ids: readonly string[], requests: readonly string[]): Promise<RedisSnapshot[]> {
    if (this.misplaced) return Promise.reject(this.misplaced);
    const { clock, prefix } = this.options;
    const now = clock ? String(Math.floor(clock() * 1000)) : '';
    const keys = ids.map((id) => prefix + id);
    return this.runScript(keys, [now, this.policy, ...requests]).then((reply) =>
      readReply(reply, ids.length),
    );
  }

  /** Runs the script on keys of a server that are for just that; resolves at once when there are none on it any more. */
  async probe(name: string): Promise<void> {
    if (!this.names().has(name)) return;
    if (this.cluster === undefined) {
      if (this.misplaced) this.client.disconnect(true);
      // Keys of two slots: a node of a cluster refuses them.
      await this.run(['probe:0', 'probe:1'], [PROBE_REQUEST, PROBE_REQUEST]);
      return;
    }
    for (let i = 0; i < MAX_PROBE_NAMES; i++) {
      const id = `probe:${i}`;
      if (this.nameOfServer(id) !== name) continue;
      await this.run([id], [PROBE_REQUEST]);
      return;
    }
  }

  /** Replaces the connection to a server on which nothing arrives; one that is not ready is seen to already. */
  reconnect(name: string): void {
    const connections = this.cluster?.nodes() ?? [this.client as Redis];
    for (const connection of connections) {
      if (nameOf(connection) === name && connection.status === 'ready') connection.disconnect(true);
    }
  }

  /** The message of an error in one line, and without the password: servers repeat what they refuse. */
  reasonOf(error: Error): string {
    // Of several addresses of a host, none of which responds, the first says why.
    const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
    const { message, code } = first as NodeJS.ErrnoException;
    if (NO_CONNECTION.test(message)) return this.trouble ?? 'connection closed';
    const [line = ''] = (message === '' ? (code ?? first.name) : message).split('\n', 1);
    const secret = this.password ? [this.password, encodeURIComponent(this.password)] : [];
    return secret.reduce((text, part) => text.replaceAll(part, '***'), line).slice(0, 300);
  }

  close(): void {
    this.client.disconnect();
  }

  /** Which masters a cluster has is known when it is ready; the connections to some may still be on their way. */
  private async connectToAll(): Promise<void> {
    await this.client.connect();
    const masters = this.cluster?.nodes('master') ?? [];
    const connecting = masters.filter(({ status }) => status !== 'ready');
    await Promise.all(connecting.map((master) => once(master, 'ready').catch(() => undefined)));
  }

  /** Replaces a connection that does not become ready in time, and says when one is lost. */
  private follow(connection: Redis, onLost: (name: string, reason: string) => void): void {
    const name = nameOf(connection);
    let cancel: () => void = () => undefined;
    const expectReady = (): void => {
      cancel();
      cancel = afterRunning(CONNECT_TIMEOUT_MS, () => {
        this.trouble ??= NO_RESPONSE;
        connection.disconnect(true);
      });
    };
    // Looking for a master, a connection by Sentinel must not be given up: it would never try again.
    if (!connection.options.sentinels) connection.on('connecting', expectReady);
    connection.on('connect', expectReady);
    connection.on('error', (error: CommandError) => {
      if (error.command?.name === 'select') this.misplaced = error;
    });
    connection.on('ready', () => {
      cancel();
      this.trouble = undefined;
    });
    connection.on('close', () => {
      cancel();
      this.misplaced = undefined;
      if (this.names().has(name)) onLost(name, this.trouble ?? 'connection closed');
    });
  }
}

function nameOf({ options: { host = 'localhost', port = 6379 } }: Redis): string {
  return `${host}:${port}`;
}
