import { afterAll, beforeAll } from '@jest/globals';
import { Client } from '../client.js';
import { type AttackedService, type Battlefield, prepareBattlefield } from './attacked-service.js';
import { crowd, send, untilResponse } from './hostile-client.js';
import { bearer, chunkABytes, CHUNKED, head, JSON_TYPE, LAST_CHUNK } from './hostile-requests.js';
import { Rounds } from './round.js';

/** A file of the docs that is larger than what the system takes in for a connection at once. */
export const LARGE_FILE = '/docs/swagger-ui-bundle.js';

/** The rounds of a file of tests, all against one service as long as it comes through them. */
export class AttackedRounds {
  field!: Battlefield;
  private rounds: Rounds | undefined;
  /** Whether the service has come through all its rounds; one that has not is replaced. */
  private unharmed = false;

  constructor() {
    beforeAll(async () => {
      this.field = await prepareBattlefield();
    });
    afterAll(async () => {
      await this.rounds?.end();
      await this.field.close();
    });
  }

  /** Plays one round ({@link Rounds.play}). */
  async play(attack: (service: AttackedService) => Promise<unknown>, p99Ms?: number): Promise<void> {
    if (!this.unharmed) {
      await this.rounds?.end();
      this.rounds = await Rounds.begin(this.field, (service) => this.ordinaryUse(service));
    }
    this.unharmed = false;
    await this.rounds?.play(attack, p99Ms);
    this.unharmed = true;
  }

  /** The head of a request to create a pet, with the key that is not the healthy client's. */
  post(...fields: readonly string[]): string {
    return head('POST', '/v1/pets', bearer(this.field.hostileKey), JSON_TYPE, ...fields);
  }

  /** Everything that the service does is done now and then, by many at once. */
  private async ordinaryUse({ origin, port }: AttackedService): Promise<void> {
    const client = new Client(origin, this.field.key);
    for (let i = 0; i < 10; i++) {
      await Promise.all(Array.from({ length: 60 }, () => client.get('/v1/pets?limit=100')));
      await Promise.all([
        ...Array.from({ length: 20 }, (_, n) => client.post('/v1/pets', { name: `Pet ${n}`, categoryId: 1 })),
        ...[LARGE_FILE, '/openapi.json', '/readyz', '/v1/nothing'].map((path) => client.get(path)),
      ]);
    }
    client.close();
    await crowd(port, 200, () => [send(head('GET', '/v1/pets')), untilResponse(1_000)]);
    // What bodies in many chunks take for a moment, V8 keeps for the next ones; it does not grow with their number.
    const body = chunkABytes(Buffer.alloc(16_000, ' '));
    const chunks = Buffer.concat([Buffer.from(this.post(CHUNKED)), body, LAST_CHUNK]);
    await crowd(port, 40, () => [send(chunks), untilResponse(5_000)], 4);
  }
}
