import type { Duplex } from 'node:stream';
import { Client, type ClientConfig, Pool, type PoolConfig, type QueryConfig } from 'pg';
import pgPass from 'pgpass';
import { NoResponseError, NoSessionError, noteEndOfSession, toStoreError } from './database-errors.js';
import { sessionSettings } from './session.js';

export interface DatabaseClientConfig extends ClientConfig {
  /** SQL for this kind of session, which follows the settings of every session. */
  readonly session?: string;
  /** Called after each attempt to begin a session, with the reason if it failed. */
  readonly onAttempt?: (refusal: NoSessionError | undefined) => void;
}

/**
 * NATs and load balancers forget connections that are idle for minutes (240 to 350 s), and Linux sends its first probe after
 * two hours. The same as for Redis.
 */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

/** Milliseconds in which a session must have begun, and get its settings, unless the configuration says otherwise. */
const CONNECT_MS = 5_000;

/** How long the server may take to close a session. */
const CLOSE_TIMEOUT_MS = 500;

/**
 * The only kind of session with PostgreSQL that this lib makes (`test/database.spec.ts` sees to that). It has the same
 * settings whatever the role, the database, the URL and the environment say (`session.ts`).
 *
 * It has a listener for `error` from the beginning: a session that the server ends without a listener, such as between
 * the pool's listener and TypeORM's, would otherwise end the process. The user of the session learns of it from its
 * next query, and by `end`.
 */
export class DatabaseClient extends Client {
  constructor(private readonly config: DatabaseClientConfig = {}) {
    super({ connectionTimeoutMillis: CONNECT_MS, ...config, ...KEEP_ALIVE });
    // Whatever the server does after it has said that a session is over, here it ends.
    this.on('error', (error) => {
      noteEndOfSession(error);
      cutClient(this);
    });
    if ((this.password ?? '') === '') Object.assign(this, { password: () => passwordFromFile(this) });
    this.guardParser();
  }

  /**
   * Resolves, or calls back, when the session has begun and has its settings.
   *
   * @throws {NoSessionError} whatever the reason: the server is to be seen as unavailable, and not the request as wrong
   */
  override connect(): Promise<Client>;
  override connect(callback: (error: Error | undefined) => void): void;
  override connect(callback?: (error: Error | undefined) => void): Promise<Client> | undefined {
    const beginning = this.begin();
    if (callback === undefined) return beginning;
    beginning.then(() => {
      callback(undefined);
    }, callback);
    return undefined;
  }

  /**
   * pg's parser throws out of the socket's listener, where nothing would catch it, when a pooler that loses its server
   * within a row sends its own error in place of the rest: that ends the session, and not the process.
   */
  private guardParser(): void {
    const connection = this.connection as unknown as ParsingConnection;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      attach({
        on: (event, listener) =>
          stream.on(event, (bytes) => {
            try {
              listener(bytes);
            } catch (cause) {
              const error = new NoResponseError('The database sent what is not its protocol.', { cause });
              (stream as Duplex).destroy(error);
            }
          }),
      });
    };
  }

  private async begin(): Promise<this> {
    const { connectionTimeoutMillis = CONNECT_MS, session, onAttempt } = this.config;
    // Declared by pg for clients only; it reads it of queries, too.
    const settings = { text: sessionSettings(session), query_timeout: connectionTimeoutMillis };
    try {
      await super.connect();
      await this.query(settings as QueryConfig);
      onAttempt?.(undefined);
      return this;
    } catch (cause) {
      cutClient(this);
      const refusal = new NoSessionError(cause as Error);
      onAttempt?.(refusal);
      throw refusal;
    }
  }
}

/**
 * The password that the file of `PGPASSFILE`, by default `~/.pgpass`, has for a session; `undefined` without one. pg reads the
 * file by itself, too, and then warns that it will not for ever.
 */
function passwordFromFile({ host, port, database, user }: Client): Promise<string | undefined> {
  return new Promise((resolve) => {
    pgPass({ host, port, database: database ?? user, user }, resolve);
  });
}

interface Source {
  on(event: string, listener: (bytes: Buffer) => void): unknown;
}

/** Declared for what pg itself does with it, with the plain socket or the one of TLS. */
interface ParsingConnection {
  attachListeners(stream: Source): void;
}

/**
 * A session that is ready for use.
 *
 * @throws {NoSessionError} also when the address or a file that it names is wrong
 */
export async function openClient(config: DatabaseClientConfig): Promise<Client> {
  let client: DatabaseClient;
  try {
    client = new DatabaseClient(config);
  } catch (cause) {
    throw new NoSessionError(cause as Error);
  }
  return client.connect();
}

/**
 * Does some work in a session of its own, which takes longer than those of the pool may. A transaction that `work` does not
 * commit ends with the session.
 *
 * @param session SQL of its time limits
 * @throws {StoreUnavailableError} besides whatever `work` throws
 */
export async function withClient<T>(
  { url, applicationName = 'petstore' }: { readonly url: string; readonly applicationName?: string },
  session: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    const client = await openClient({ connectionString: url, application_name: applicationName, session });
    try {
      return await work(client);
    } finally {
      await endClient(client);
    }
  } catch (error) {
    throw toStoreError(error as Error);
  }
}

/** Lets running queries end, closes the session, and cuts a connection to a server that does not respond. */
export async function endClient(client: Client, timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
  const timer = setTimeout(() => {
    cutClient(client);
  }, timeoutMs);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

/** Destroys the socket; whatever runs on the connection fails as on a lost one. */
export function cutClient({ connection }: Client): void {
  connection.stream.destroy();
}

/** A pool of {@link DatabaseClient}s. */
export class DatabasePool extends Pool {
  constructor(config?: PoolConfig) {
    super({ ...config, Client: DatabaseClient });
  }
}
