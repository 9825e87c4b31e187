import { expect } from '@jest/globals';
import { type AttackedService, type Battlefield, collectedAtRest, vitalsAtRest } from './attacked-service.js';
import {
  act,
  halfClose,
  type HostileConnection,
  send,
  silence,
  type Step,
  stopReading,
} from './hostile-client.js';
import { head } from './hostile-requests.js';
import type { ServiceVitals } from './service-vitals.js';

/** More than the system takes in for a connection: the responses to these stay in the service. */
const REQUESTS = head('GET', '/docs/swagger-ui-bundle.js').repeat(16);
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';

/** Clients of each kind. */
const EACH = 8;
/** Milliseconds without progress after which the service gives a response up, and what it takes to notice. */
const GIVEN_UP_WITHIN = 30_000 + 12_000;
/** Most memory in MiB that they may leave behind. */
const MEMORY_KEPT = 30;

/**
 * Clients that ask for much and read nothing of it, for as long as the service bears with them. They have a
 * service of their own, because that takes half a minute, in which other things can be tested.
 */
export class UnreadResponses {
  private constructor(
    private readonly service: AttackedService,
    private readonly connections: readonly HostileConnection[],
    private readonly before: ServiceVitals,
    private readonly since: number,
  ) {}

  static async begin({ start }: Battlefield): Promise<UnreadResponses> {
    const service = await start();
    const since = performance.now();
    const before = await service.vitalsWithoutGarbage();
    const kinds: readonly (readonly Step[])[] = [
      [send(REQUESTS)],
      [send(REQUESTS + CONNECT)],
      [send(REQUESTS), silence(200), halfClose],
      [send(REQUESTS + CONNECT), silence(200), halfClose],
    ];
    const connections = await Promise.all(
      kinds.flatMap((steps) =>
        Array.from({ length: EACH }, () => act(service.port, [stopReading, ...steps])),
      ),
    );
    // Those that ask for a tunnel may have been ended at once.
    const stuck = connections.length / 2;
    const held = await vitalsAtRest(service, ({ inFlight }) => inFlight >= stuck, 5_000);
    expect(held.inFlight).toBeGreaterThanOrEqual(stuck);
    return new UnreadResponses(service, connections, before, since);
  }

  /** Expects that nothing is left of any of them once their time is over, though none of them went. */
  async expectGivenUp(): Promise<void> {
    const { before, service } = this;
    const most = before.memoryMiB + MEMORY_KEPT;
    const isOver = ({ inFlight, sockets = 0, files }: ServiceVitals): boolean =>
      inFlight === 0 && sockets === 0 && files === before.files;
    const left = this.since + GIVEN_UP_WITHIN - performance.now();
    const { memoryMiB, ...after } = await collectedAtRest(service, isOver, most, Math.max(left, 1_000));
    expect(after).toMatchObject({ inFlight: 0, sockets: before.sockets, files: before.files });
    expect(memoryMiB).toBeLessThan(most);
  }

  end(): void {
    for (const { socket } of this.connections) socket.resetAndDestroy();
  }
}
