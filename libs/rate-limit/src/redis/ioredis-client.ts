/**
 * A client of ioredis, `Redis` or `Cluster`, by what the limiter asks of it first: ioredis is an optional peer, and
 * declarations that name its types would not compile without it.
 */
export interface IoredisClient {
  readonly isCluster: boolean;
  readonly options: object;
  duplicate(): unknown;
  defineCommand(name: string, definition: { readonly lua: string }): void;
}
