/**
 * Most requests that begin in one tick of the event loop. What they ask of Redis and PostgreSQL leaves in one write a tick:
 * where fewer may begin, busy connections cost both of them more.
 */
const MAX_PER_TICK = 64;

/** The same after a tick that has accepted a connection: more may wait to be accepted. */
const MAX_PER_ACCEPT = 1;

/** A connection whose next request is to begin. */
export interface QueuedConnection {
  /** Begins the request. @returns false when its client has gone meanwhile */
  begin(): boolean;
}

/**
 * When requests begin. The event loop accepts one connection per tick, whatever waits, and a tick handles all that has
 * arrived: thousands of busy connections would keep new ones waiting for seconds. So only some requests begin in each
 * tick, and fewer while connections are being accepted. The others wait, and client networks are served round robin.
 */
export class RequestQueue<Queued extends QueuedConnection> {
  /** Requests that wait. */
  size = 0;
  /** None of them is empty; the network to be served next comes first. */
  private readonly byNetwork = new Map<string, Queued[]>();
  /** How many requests may still begin in this tick. */
  private left = MAX_PER_TICK;
  private hasAccepted = false;
  /** Whether {@link endTick} will run at the end of this tick. */
  private isEndScheduled = false;

  /** @param networkOf the network of the client whose request waits */
  constructor(private readonly networkOf: (connection: Queued) => string) {}

  /** Begins the next request of a connection, at once if it may. */
  add(connection: Queued): void {
    if (this.left > 0) {
      if (connection.begin()) this.use(1);
      return;
    }
    const network = this.networkOf(connection);
    const queue = this.byNetwork.get(network);
    if (queue === undefined) this.byNetwork.set(network, [connection]);
    else queue.push(connection);
    this.size++;
  }

  /** Notes that a connection was accepted. */
  accepted(): void {
    this.hasAccepted = true;
    this.use(this.left);
  }

  private use(count: number): void {
    this.left -= count;
    if (this.isEndScheduled) return;
    this.isEndScheduled = true;
    // Runs when all that has arrived in this tick has been read.
    setImmediate(this.endTick);
  }

  private readonly endTick = (): void => {
    const { byNetwork } = this;
    this.isEndScheduled = false;
    this.left = this.hasAccepted ? MAX_PER_ACCEPT : MAX_PER_TICK;
    this.hasAccepted = false;
    // A network that is put back at the end comes again.
    for (const [network, queue] of byNetwork) {
      if (this.left === 0) return;
      byNetwork.delete(network);
      const connection = queue.shift();
      if (queue.length > 0) byNetwork.set(network, queue);
      this.size--;
      if (connection?.begin() === true) this.use(1);
    }
  };
}
