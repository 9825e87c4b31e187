import type { ConnectionLimits } from './connections/connection-limits.js';
import type { ErrorHelp } from './errors/error-help.js';
import type { ErrorTranslation } from './errors/error-translation.js';
import type { LoadSheddingPolicy } from './load-shedding/load-shedding-policy.js';
import type { RequestObserver } from './request/request-observer.js';
import type { ShortenPath } from './request/request-target.js';
import type { ShutdownTimes } from './shutdown/graceful-shutdown.js';

/** What the app supplies to the HTTP server. */
export interface HttpServerOptions {
  readonly connections: ConnectionLimits;
  readonly loadShedding: LoadSheddingPolicy;
  readonly errors: ErrorTranslation;
  /** Where the docs explain errors; nowhere unless given. */
  readonly helpOf?: ErrorHelp;
  readonly observer: RequestObserver;
  /** Leads paths that are too long to short ones; all to the same one unless given. */
  readonly shortenPath?: ShortenPath;
  readonly shutdown?: ShutdownTimes;
}
