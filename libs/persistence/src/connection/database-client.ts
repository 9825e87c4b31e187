import type { Duplex } from 'node:stream';
import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';
import { ConnectTimeoutError, NoAnswerError } from './no-answer.error.js';
import { toPoolerRefusal } from './pooler-refusal.js';
import { passwordFromFile } from './password-file.js';
import {
  allowedMethods,
  AuthenticationRefusedError,
  type AuthMethod,
  requireAuthOf,
} from './require-auth.js';
import { RunningTimeout } from './running-timeout.js';
import { sessionSettings } from './session-settings.js';

export interface DatabaseClientConfig extends ClientConfig {
  /** Milliseconds in which the session must have begun: the way to the server, the log-in and the settings. */
  readonly connectMs?: number;
  /** SQL for this kind of session, which follows the settings of every session. */
  readonly session?: string;
  /** Whether nothing is set: the session may be a pooler's, and another client's after this one. */
  readonly isBare?: boolean;
}

/** Default of `connectMs`. */
const CONNECT_MS = 5_000;

/** Name of each authentication method in a message. */
const ASKS: Readonly<Record<AuthMethod, string>> = {
  password: 'asks for the password in clear text',
  md5: 'asks for an MD5 hash of the password',
  'scram-sha-256': 'asks for SCRAM-SHA-256',
  none: 'has not proved that it knows the password',
};

/**
 * The only kind of session with PostgreSQL that this lib makes (`test/database.spec.ts` sees to that).
 *
 * It always has a listener for `error`: a session that the server ends without a listener, such as between the
 * pool's listener and TypeORM's, would otherwise end the process. The user of the session learns of it from its next
 * query, and by `end`.
 *
 * What is not the protocol ends the session, and not the process: a pooler that loses its server within a row sends its
 * own error in place of the rest.
 *
 * It has the same settings whatever the role, the database, the URL and the environment say (`session-settings.ts`).
 *
 * And it sends the password to no server that asks in a way which is not allowed (`require_auth` of the URL): pg
 * itself complies with whatever is requested, and an impostor at the server's address would be sent it.
 */
export class DatabaseClient extends Client {
  private readonly allowed: ReadonlySet<AuthMethod>;

  /** @throws {RequireAuthError} */
  constructor(private readonly config: DatabaseClientConfig = {}) {
    // pg's timeout would count time in which this process does not run, and end before the settings are sent.
    super({ ...config, connectionTimeoutMillis: 0 });
    // Whatever the server does after it has said that a session is over, here it ends.
    this.on('error', () => {
      this.connection.stream.destroy();
    });
    const { connectionString } = config;
    const requireAuth = connectionString === undefined ? undefined : requireAuthOf(connectionString);
    this.allowed = allowedMethods(requireAuth, hasPassword(this));
    if (!hasPassword(this)) Object.assign(this, { password: () => passwordFromFile(this) });
    this.guardPassword();
    this.guardParser();
  }

  /** Resolves, or calls back, when the session has begun and has its settings. */
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

  private async begin(): Promise<this> {
    const { connectMs = CONNECT_MS, session, isBare = false } = this.config;
    const timeout = new RunningTimeout(connectMs, () => {
      this.connection.stream.destroy(
        new ConnectTimeoutError('No session with the database could be begun in time.'),
      );
    });
    try {
      await super.connect();
      if (!isBare) await this.query(sessionSettings(session));
      return this;
    } catch (error) {
      this.connection.stream.destroy();
      throw toPoolerRefusal(error);
    } finally {
      timeout.cancel();
    }
  }

  /** pg listens when it connects, that is after this: it never reacts to what is refused here. */
  private guardPassword(): void {
    const connection = this.connection as unknown as AuthenticatingConnection;
    let asked: AuthMethod | undefined;
    let proved = false;
    connection.on('authenticationCleartextPassword', () => {
      asked = 'password';
      this.check(asked);
    });
    connection.on('authenticationMD5Password', () => {
      asked = 'md5';
      this.check(asked);
    });
    connection.on('authenticationSASL', () => {
      asked = 'scram-sha-256';
      this.check(asked);
    });
    connection.on('authenticationSASLFinal', () => {
      // pg judges it after this listener, and forgets the exchange when the server's signature is right.
      proved = true;
    });
    connection.once('authenticationOk', () => {
      const scram = asked === 'scram-sha-256';
      const isOver = (this as unknown as { readonly saslSession?: unknown }).saslSession === null;
      if (scram && !(proved && isOver)) this.refuse('none');
      else this.check(asked ?? 'none');
    });
    const send = connection.password.bind(connection);
    connection.password = (text) => {
      if ((asked === 'password' || asked === 'md5') && this.allowed.has(asked)) send(text);
    };
  }

  /** pg's parser throws out of the socket's listener, where nothing would catch it. */
  private guardParser(): void {
    const connection = this.connection as unknown as ParsingConnection;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream: Source & Pick<Duplex, 'destroy'>) => {
      attach({
        on: (event, listener) =>
          stream.on(event, (bytes) => {
            try {
              listener(bytes);
            } catch (cause) {
              stream.destroy(new NoAnswerError('The database sent what is not its protocol.', { cause }));
            }
          }),
      });
    };
  }

  private check(asked: AuthMethod): void {
    if (!this.allowed.has(asked)) this.refuse(asked);
  }

  private refuse(asked: AuthMethod): void {
    const { connection } = this;
    const allowed = [...this.allowed].join(' or ');
    connection.stream.destroy();
    // The rest of what has come in is parsed all the same, and must not look like a session.
    connection.removeAllListeners('readyForQuery');
    connection.emit(
      'error',
      new AuthenticationRefusedError(
        `The server ${ASKS[asked]}, and only ${allowed} is allowed: it was not sent. ` +
          `If it is your server and shall be trusted with that, add require_auth=${asked} to the URL.`,
      ),
    );
  }
}

/**
 * The class of a pool of such sessions.
 *
 * @param onPool is given each that is made
 */
export function databasePool(onPool: (pool: Pool) => void): typeof Pool {
  return class extends Pool {
    constructor(config?: PoolConfig) {
      super({ ...config, Client: DatabaseClient });
      onPool(this);
    }
  };
}

/** Declared for what pg's client itself does with it. */
interface AuthenticatingConnection {
  on(event: string, listener: () => void): this;
  once(event: string, listener: () => void): this;
  password(text: string): void;
}

interface Source {
  on(event: string, listener: (bytes: Buffer) => void): unknown;
}

/** Declared for what pg itself does with it, with the plain socket or the one of TLS. */
interface ParsingConnection {
  attachListeners(stream: Source): void;
}

function hasPassword({ password }: Client): boolean {
  return password !== undefined && (password as string | null) !== null && password !== '';
}
