import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import calculateSlot from 'cluster-key-slot';
import type { Cluster, Redis } from 'ioredis';
import { CLUSTER_OPTIONS, CONNECTION_OPTIONS } from './connection-options.js';

/** The script that decides in Redis; what its arguments mean is said there. */
const SCRIPT = readFileSync(new URL('../../lua/charge.lua', import.meta.url), 'utf8');
/** The command that it becomes for a client. */
const COMMAND = 'chargeRateLimits';
/** Stands for the node of a slot while the cluster has announced none. */
const UNKNOWN_NODE = 'cluster';
/** So many names are enough to meet a node of a single slot. */
const MOST_VARIATIONS = 200_000;
/** Where ioredis says no more than that there is no connection. */
const NO_CONNECTION =
  /^(?:Connection is closed|Stream isn't writeable|Reached the max retries|Cluster isn't ready|None of startup nodes|Failed to refresh)/;

/** What a link tells about its connections. */
export interface LinkEvents {
  /** A new connection to a node is ready. */
  readonly onReady: (node: string) => void;
  /** One was lost, or could not be made. */
  readonly onLost: (node: string, reason: string) => void;
}

/** Makes the script known to a client, which sends its hash, and its text to a server that does not know it. */
export function defineScript(client: Redis | Cluster): RedisLink['run'] {
  client.defineCommand(COMMAND, { lua: SCRIPT });
  const run = Reflect.get(client, `${COMMAND}Buffer`) as (...all: unknown[]) => Promise<Buffer>;
  return (keys, args) => run.call(client, keys.length, ...keys, ...args);
}

/** The way to one Redis server (or whatever stands behind one address or one name of Redis Sentinel), or to a cluster. */
export class RedisLink {
  /** Most keys in one call. */
  readonly mostKeys: number;
  /** Runs the script. Rejects with what {@link RedisLink.reasonOf} takes. */
  readonly run: (keys: readonly string[], args: readonly string[]) => Promise<Buffer>;
  private readonly client: Redis | Cluster;
  private readonly cluster: Cluster | undefined;
  private readonly password: string | null | undefined;
  /** Why there is no connection, as far as it is known. */
  private trouble: string | undefined;

  /** @param target says where Redis is; it is never used itself */
  constructor(target: Redis | Cluster) {
    // By its own word: an application's ioredis may be another copy, whose classes are others.
    if (target.isCluster) {
      this.cluster = (target as Cluster).duplicate([], CLUSTER_OPTIONS);
      this.client = this.cluster;
      this.password = this.cluster.options.redisOptions?.password;
      // A slot on the move has keys here and there: only a call with a single key finds all of its keys.
      this.mostKeys = 1;
    } else {
      const connection = (target as Redis).duplicate(CONNECTION_OPTIONS);
      this.client = connection;
      this.password = connection.options.password;
      // It keeps the server from others for about half a millisecond.
      this.mostKeys = 200;
    }
    this.run = defineScript(this.client);
  }

  /** Connects; resolves to the nodes that keys are on, when there are connections or after `timeoutMs`. */
  async connect(timeoutMs: number, events: LinkEvents): Promise<readonly string[]> {
    const { client, cluster } = this;
    const note = (error: Error): void => {
      if (!NO_CONNECTION.test(error.message)) this.trouble = this.reasonOf(error);
    };
    client.on('error', note);
    cluster?.on('node error', note);
    cluster?.on('+node', (connection: Redis) => {
      this.watch(connection, events);
      // Commands are not queued: it has to be there before the first.
      connection.connect().catch(() => undefined);
    });
    cluster?.on('ready', () => {
      events.onReady(UNKNOWN_NODE);
    });
    if (cluster === undefined) this.watch(client as Redis, events);
    const end = new AbortController();
    const late = sleep(timeoutMs, undefined, { signal: end.signal });
    late.then(
      () => (this.trouble ??= `no response within ${timeoutMs} ms`),
      () => undefined,
    );
    await Promise.race([client.connect(), late]).catch(() => undefined);
    end.abort();
    return [...this.nodes()];
  }

  /** The node that serves a key. */
  nodeOf(key: string): string {
    if (this.cluster === undefined) return nameOf(this.client as Redis);
    return this.cluster.slots[calculateSlot(key)]?.[0] ?? UNKNOWN_NODE;
  }

  /** A key that is on a node; `undefined` when the node has none any more. */
  keyOn(node: string, keys: (variation: number) => string): string | undefined {
    if (!this.nodes().has(node)) return undefined;
    for (let variation = 0; variation < MOST_VARIATIONS; variation++) {
      const key = keys(variation);
      if (this.nodeOf(key) === node) return key;
    }
    return undefined;
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

  private nodes(): Set<string> {
    if (this.cluster === undefined) return new Set([nameOf(this.client as Redis)]);
    const masters = this.cluster.slots.flatMap((slot) => slot[0] ?? []);
    return new Set(masters.length > 0 ? masters : [UNKNOWN_NODE]);
  }

  private watch(connection: Redis, { onReady, onLost }: LinkEvents): void {
    const name = nameOf(connection);
    connection.on('ready', () => {
      this.trouble = undefined;
      onReady(name);
    });
    connection.on('close', () => {
      if (this.nodes().has(name)) onLost(name, this.trouble ?? 'connection closed');
    });
  }
}

function nameOf({ options: { host = 'localhost', port = 6379 } }: Redis): string {
  return `${host}:${port}`;
}
