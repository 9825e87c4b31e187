import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AttackedService, type Battlefield, collectedAtRest } from './attacked-service.js';
import { HealthyClient, type HealthyReport } from './healthy-client.js';
import type { ServiceVitals } from './service-vitals.js';

/** A request waits for the machine in the client, the service and each of its two servers. */
const WAITS = 4;
/** Least milliseconds that a round takes: a healthy client sends dozens of requests meanwhile. */
const ROUND = 500;
/** From one attack of a round to the next, in milliseconds. */
const BREATH = 50;
/** Most milliseconds in which 99 % of the responses to a healthy client arrive while others attack, if not said otherwise. */
const HEALTHY_P99 = 100;
/** So often is a round that was too slow played again: a machine is busy now and then, a weakness is there each time. */
const AGAIN = 5;
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
    const before = await collectedAtRest(service, isQuiet, Infinity, SETTLED_WITHIN);
    return new Rounds(service, healthy, before);
  }

  /**
   * Lets the attackers have their way, and expects that nobody else noticed and that nothing is left of them.
   *
   * @param attack repeated for as long as a round takes; the attackers are gone when it resolves
   * @param p99Ms most milliseconds in which 99 % of the responses to a healthy client arrive meanwhile
   */
  async play(attack: (service: AttackedService) => Promise<unknown>, p99Ms = HEALTHY_P99): Promise<void> {
    const isSlow = (report: HealthyReport): boolean => report.p99Ms >= p99Ms + WAITS * report.machineMs;
    let report = await this.playOnce(attack);
    for (let again = 0; again < AGAIN && isSlow(report); again++) report = await this.playOnce(attack);
    expect(report.p99Ms).toBeLessThan(p99Ms + WAITS * report.machineMs);
  }

  private async playOnce(attack: (service: AttackedService) => Promise<unknown>): Promise<HealthyReport> {
    this.healthy.begin();
    for (const end = performance.now() + ROUND; performance.now() < end;) {
      await attack(this.service);
      await sleep(BREATH);
    }
    const report = await this.healthy.end();
    const { outcomes } = report;
    expect({ isRunning: this.service.isRunning, outcomes }).toEqual({
      isRunning: true,
      outcomes: { 200: expect.any(Number) },
    });
    await this.expectAsBefore();
    return report;
  }

  async end(): Promise<void> {
    await this.healthy.stop();
    await this.service.end('SIGKILL');
  }

  private async expectAsBefore(): Promise<void> {
    const { before, service } = this;
    const { connections, sockets, files } = before;
    const most = before.memoryMiB + MEMORY_KEPT;
    const isAsBefore = (now: ServiceVitals): boolean => isQuiet(now) && now.files === files;
    const { memoryMiB, ...after } = await collectedAtRest(service, isAsBefore, most, SETTLED_WITHIN);
    expect(after).toEqual({ inFlight: 0, connections, sockets, files });
    expect(memoryMiB).toBeLessThan(most);
  }
}

function isQuiet({ inFlight, connections = OWN_SOCKETS, sockets = OWN_SOCKETS }: ServiceVitals): boolean {
  return inFlight === 0 && connections === OWN_SOCKETS && sockets === OWN_SOCKETS;
}
