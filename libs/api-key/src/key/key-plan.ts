/** The plan of a key, as it is kept. What it means is in the plans of the service (`PlanRegistry`), which make it. */
export class KeyPlan {
  /** @param perMinute with `perDay`: the limits of a key that brings its own */
  constructor(
    readonly name: string,
    readonly perMinute?: number,
    readonly perDay?: number,
  ) {}
}
