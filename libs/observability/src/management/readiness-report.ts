/** Whether the service can serve, and what is wrong if it cannot, or only in part. */
export interface ReadinessReport {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  /** One word per problem; never an address or a message of a server. */
  readonly reasons?: readonly string[];
}
