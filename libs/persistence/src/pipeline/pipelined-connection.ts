import type { Client, Query } from 'pg';
import { cutClient, endClient } from '../server/client-life.js';
import type { Carrier, RowQuery } from './row-query.js';

/**
 * SQLSTATEs after which a connection is of no more use: a statement that it does not know, one whose columns
 * have changed, and a server that has become a standby while the primary is elsewhere.
 */
const OUTLIVED: ReadonlySet<string | undefined> = new Set(['26000', '0A000', '25006']);

/** One connection on which queries are written without waiting for the answers to those before them. */
export class PipelinedConnection implements Carrier {
  /** Sent and not answered, in the order in which they will be. */
  private readonly sent: RowQuery<unknown>[] = [];

  /**
   * @param client open, in pipeline mode, with every statement prepared
   * @param outlived told once when the connection should no longer be used
   * @param answered told of every answer, when there is room for another question
   */
  constructor(
    private readonly client: Client,
    private readonly outlived: (connection: PipelinedConnection) => void,
    private readonly answered: () => void,
  ) {
    const gone = (): void => {
      outlived(this);
    };
    client.once('error', gone);
    client.once('end', gone);
  }

  get inFlight(): number {
    return this.sent.length;
  }

  /** When the oldest unanswered query was asked; `undefined` when all are answered. */
  get waitingSince(): number | undefined {
    return this.sent[0]?.since;
  }

  /** Holds what is sent back until {@link flush}, which writes it at once: one system call a turn. */
  hold(): void {
    this.client.connection.stream.cork();
  }

  send(query: RowQuery<unknown>): void {
    this.sent.push(query);
    query.carrier = this;
    query.leaving();
    this.client.query(query as unknown as Query);
  }

  /** Answers come in the order of the questions. */
  ended(error?: Error): void {
    this.sent.shift();
    if (error !== undefined && OUTLIVED.has((error as { code?: string }).code)) this.outlived(this);
    this.answered();
  }

  flush(): void {
    this.client.connection.stream.uncork();
  }

  /** Ends it without waiting; unanswered queries fail as with any lost connection. */
  cut(): void {
    cutClient(this.client);
  }

  /** Lets queries in flight be answered; at most `within` milliseconds. */
  close(within: number): Promise<void> {
    return endClient(this.client, within);
  }
}
