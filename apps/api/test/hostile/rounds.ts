import { afterAll, beforeAll, expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTS_GARBAGE } from '@petstore/test-servers';
import { Client } from '../support/client.js';
import { Program } from '../support/program.js';
import { runService, type RunningService } from '../support/running-service.js';
import { HealthyClient } from './healthy-client.js';
import { crowd, send, untilResponse } from './hostile-client.js';
import { bearer, chunkABytes, CHUNKED, head, JSON_TYPE, LARGE_FILE, LAST_CHUNK } from './hostile-requests.js';
import { managementOf, portOf, runQueueMs, type ServiceVitals, vitalsAtRest } from './service-vitals.js';

/**
 * Milliseconds within which 99 % of the responses to a healthy client arrive while others attack, on a machine that is busy
 * with other tests, too. An attacker who blocks the event loop, or exhausts a resource, makes them take longer.
 */
const HEALTHY_P99_MS = 1_000;
/** A request waits for the machine in the client, the service and each of its two servers. */
const WAITS = 4;
/** Least duration of a round: a healthy client sends dozens of requests meanwhile. */
const ROUND_MS = 500;
/** A busy machine takes long for the start and the ordinary use. */
const BEGIN_TIMEOUT_MS = 90_000;
/** Longest time until all is as before, once the last attacker has gone. */
const SETTLED_MS = 20_000;
/** Most memory that a round may leave behind. */
const MEMORY_KEPT_MIB = 30;
/** Sockets of the listener while there is no attacker: the healthy client's, which may just be made anew. */
const OWN_SOCKETS = 1;

/** No limit is reached by accident: an attack is about something else. */
const GENEROUS = {
  OPS_PORT: '0',
  ANONYMOUS_PER_MINUTE: '1000000',
  ANONYMOUS_PER_DAY: '1000000',
  // Space for new objects, in MiB: V8 keeps it when it is empty, and since Node.js 24 that is more than a round may leave.
  NODE_OPTIONS: `--max-semi-space-size=4 ${COLLECTS_GARBAGE}`,
};

/** Rounds of attacks on the built program, with a healthy client beside the attackers. */
export class Rounds {
  /** A key of those who attack with one. */
  key = '';
  /** The public listener. */
  port = 0;
  managementPort = 0;
  private running!: RunningService;
  private program!: Program;
  private healthy!: HealthyClient;
  private before!: ServiceVitals;

  constructor() {
    beforeAll(() => this.begin(), BEGIN_TIMEOUT_MS);
    afterAll(() => this.end());
  }

  /**
   * Runs the attack, and expects that other clients are served meanwhile and that nothing is left of the attackers.
   *
   * @param attack repeated for as long as a round takes; the attackers are gone when it resolves
   */
  async play(attack: () => Promise<unknown>): Promise<void> {
    const queuedMs = await runQueueMs(this.program.pid);
    this.healthy.begin();
    for (const end = performance.now() + ROUND_MS; performance.now() < end;) {
      await attack();
      await sleep(50);
    }
    const { outcomes, p99Ms, machineMs } = await this.healthy.end();
    const { isRunning, pid } = this.program;
    expect({ isRunning, outcomes }).toEqual({ isRunning: true, outcomes: { 200: expect.any(Number) } });
    // The attackers are not to blame for the time in which the machine ran something else than the service.
    const elsewhereMs = (await runQueueMs(pid)) - queuedMs;
    expect(p99Ms).toBeLessThan(HEALTHY_P99_MS + WAITS * machineMs + elsewhereMs);
    const { memoryMiB: memoryBefore, ...before } = this.before;
    const most = memoryBefore + MEMORY_KEPT_MIB;
    const isAsBefore = (now: ServiceVitals): boolean => isQuiet(now) && now.files === before.files;
    const { memoryMiB, ...after } = await vitalsAtRest(this.program, isAsBefore, most, SETTLED_MS);
    expect(after).toEqual(before);
    expect(memoryMiB).toBeLessThan(most);
  }

  /** The head of a request to add an animal, with the key. */
  post(...fields: readonly string[]): string {
    return head('POST', '/v1/pets', bearer(this.key), JSON_TYPE, ...fields);
  }

  private async begin(): Promise<void> {
    this.running = await runService(GENEROUS);
    this.key = await this.running.issueKey();
    // A folder that is never made: the database is elsewhere.
    this.program = await new Program('/nonexistent', this.running.environment).started();
    this.port = portOf(this.program.origin);
    this.managementPort = portOf(managementOf(this.program));
    this.healthy = await HealthyClient.start(this.program.origin, await this.running.issueKey());
    await this.ordinaryUse();
    this.before = await vitalsAtRest(this.program, isQuiet, Infinity, SETTLED_MS);
  }

  /** Makes the program as large as it becomes when everything that it does is done now and then, by many at once. */
  private async ordinaryUse(): Promise<void> {
    const client = new Client(this.program.origin, this.key);
    for (let i = 0; i < 5; i++) {
      await Promise.all(Array.from({ length: 60 }, () => client.get('/v1/pets?limit=100')));
      await Promise.all([
        ...Array.from({ length: 20 }, (_, n) => client.post('/v1/pets', { name: `Pet ${n}`, categoryId: 1 })),
        ...[LARGE_FILE, '/openapi.json', '/readyz', '/v1/nothing'].map((path) => client.get(path)),
      ]);
    }
    client.close();
    await crowd(this.port, 200, () => [send(head('GET', '/v1/pets')), untilResponse(1_000)]);
    // What bodies in many chunks take for a moment, V8 keeps for the next ones; it does not grow with their number.
    const body = chunkABytes(Buffer.alloc(16_000, ' '));
    const chunks = Buffer.concat([Buffer.from(this.post(CHUNKED)), body, LAST_CHUNK]);
    await crowd(this.port, 40, () => [send(chunks), untilResponse(5_000)], 4);
  }

  private async end(): Promise<void> {
    await this.healthy.stop();
    await this.program.end('SIGKILL');
    await this.running.close();
  }
}

const isQuiet = ({ inFlight, connections, sockets = OWN_SOCKETS }: ServiceVitals): boolean =>
  inFlight === 0 && connections === OWN_SOCKETS && sockets === OWN_SOCKETS;
