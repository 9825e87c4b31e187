/** Path that every operation stands under; in the document it is part of the servers (specification, section 9). */
export const API_BASE_PATH = '/v1';

export const LIVENESS_PATH = '/livez';
export const READINESS_PATH = '/readyz';

/** The paths of the health checks, which are neither metered nor logged one by one. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set([LIVENESS_PATH, READINESS_PATH]);
