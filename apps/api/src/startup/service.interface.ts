import type { ReadinessReport, Registry } from '@petstore/observability';
import type { DatabaseServer } from '../storage/database-server.js';

/** A running service: one process, or several behind one port. */
export interface Service {
  /** Origin of the public listener: `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Origin of the management listener; `undefined` without one. */
  readonly management: string | undefined;
  /** The demo key if this start created it, `undefined` otherwise: only its hash is kept. */
  readonly demoKey: string | undefined;
  /** Whether the service runs its own database server. */
  readonly embedded: boolean;
  /** Finishes running requests, writes what is still buffered, and closes everything. */
  close(): Promise<void>;
}

/** What the management listener shows of a service. */
export interface ManagementView {
  readonly registry: Registry;
  readonly readiness: () => Promise<ReadinessReport>;
}

/** Parts of a service that its starter supplies in place of the default. */
export interface ServiceOverrides {
  /** Milliseconds since 1970; the system clock by default. */
  readonly now?: (() => number) | undefined;
  /** The database server, which the service stops when it closes; by default the one of the configuration. */
  readonly server?: DatabaseServer;
  /** Receives the view of the management listener, which the service then does not open itself. */
  readonly management?: (view: ManagementView) => void;
}
