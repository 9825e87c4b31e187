/**
 * Injects whether this process opens the management listener that the configuration asks for. A worker process does
 * not: its primary shows the metrics of all.
 */
export const OPENS_MANAGEMENT_LISTENER = Symbol('opens the management listener');
