import { expect } from '@jest/globals';
import { type AttackedService, type Battlefield, vitalsWhen } from './attacked-service.js';
import { HealthyClient } from './healthy-client.js';
import type { ServiceVitals } from './service-vitals.js';

/** Most milliseconds in which 99 % of the answers to a healthy client arrive while others attack. */
const HEALTHY_P99 = 100;
/** Most milliseconds until all is as before, once the last attacker has gone. */
const SETTLED_WITHIN = 5_000;
/** Most memory in MiB that a round may leave behind. */
const MEMORY_KEPT = 30;
/** Sockets of the listener while there is no attacker: the healthy client's, which may just be made anew. */
const OWN_SOCKETS = 1;

/** One service, attacked round after round, and a healthy client beside the attackers. */
export class Rounds {
  private constructor(
    readonly service: AttackedService,
    private readonly healthy: HealthyClient,
    private readonly before: ServiceVitals,
  ) {}

  /** @param warmUp what makes the service as large as ordinary use makes it */
  static async begin(
    { start, key }: Battlefield,
    warmUp: (service: AttackedService) => Promise<unknown>,
  ): Promise<Rounds> {
    const service = await start();
    const healthy = await HealthyClient.start(service.origin, key);
    await warmUp(service);
    service.collectGarbage();
    const before = await vitalsWhen(service, isQuiet, SETTLED_WITHIN);
    return new Rounds(service, healthy, before);
  }

  /**
   * Lets the attackers have their way, and expects that nobody else noticed and that nothing is left of them:
   * they are gone when `attack` resolves.
   */
  async play(attack: (service: AttackedService) => Promise<unknown>): Promise<void> {
    this.healthy.begin();
    await attack(this.service);
    const { outcomes, p99Ms, machineMs } = await this.healthy.end();
    expect({ isRunning: this.service.isRunning, outcomes }).toEqual({
      isRunning: true,
      outcomes: { 200: expect.any(Number) },
    });
    await this.expectAsBefore();
    expect(p99Ms).toBeLessThan(HEALTHY_P99 + machineMs);
  }

  async end(): Promise<void> {
    await this.healthy.stop();
    await this.service.end('SIGKILL');
  }

  private async expectAsBefore(): Promise<void> {
    const { before, service } = this;
    service.collectGarbage();
    const after = await vitalsWhen(
      service,
      (vitals) => isQuiet(vitals) && isNoLarger(vitals, before),
      SETTLED_WITHIN,
    );
    const { inFlight, connections, sockets = 0, files = 0, memoryMiB } = after;
    expect({ inFlight, connections, sockets, files: files - (before.files ?? 0) }).toEqual({
      inFlight: 0,
      connections: before.connections,
      sockets: before.sockets ?? 0,
      files: 0,
    });
    expect(memoryMiB).toBeLessThan(before.memoryMiB + MEMORY_KEPT);
  }
}

function isQuiet({ inFlight, sockets = OWN_SOCKETS }: ServiceVitals): boolean {
  return inFlight === 0 && sockets === OWN_SOCKETS;
}

function isNoLarger(now: ServiceVitals, before: ServiceVitals): boolean {
  return now.files === before.files && now.memoryMiB < before.memoryMiB + MEMORY_KEPT;
}
