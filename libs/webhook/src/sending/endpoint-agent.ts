import { Agent } from 'undici';
import { type ConnectorOptions, guardedConnector } from './guarded-connector.js';

/** Less than the five seconds after which many servers close an idle connection, in milliseconds. */
const IDLE_TIMEOUT_MS = 4_000;
/** Before the time after which a server says that it closes an idle connection, in milliseconds. */
const HINT_MARGIN_MS = 1_000;
/** While more connections than these are open, each is closed after its response. */
const MAX_KEPT_CONNECTIONS = 256;

/** The connections to endpoints. Kept apart from the sender to be loaded with undici when it first sends. */
export class EndpointAgent extends Agent {
  private open = 0;

  constructor(options: ConnectorOptions) {
    super({
      connect: guardedConnector(options),
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
