import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { WebhookId } from '../endpoint/webhook-id.js';
import { begin, finish, many } from '../testing/test-lanes.js';
import type { ClaimedDelivery } from './delivery-queue.js';
import { EndpointLanes, MOST_ACTIVE, PER_ENDPOINT } from './endpoint-lanes.js';

it('the lanes of endpoints count up and down, and never begin too many, whatever happens', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'end', 'slow', 'take'),
    endpoint: fc.nat(30),
    size: fc.nat(40),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lanes = new EndpointLanes<ClaimedDelivery>();
      const active: ClaimedDelivery[] = [];
      let held = 0;
      const drop = (deliveries: readonly ClaimedDelivery[]): void => {
        lanes.remove(deliveries);
        held -= deliveries.length;
      };
      for (const { kind, endpoint, size } of steps) {
        if (kind === 'add') {
          lanes.add(many(endpoint, size));
          held += size;
        } else if (kind === 'slow') drop(lanes.slowDown(String(endpoint) as WebhookId));
        else if (kind === 'take') drop(lanes.takeWaiting());
        else {
          const ended = active.splice(0, size);
          finish(lanes, ended);
          held -= ended.length;
        }
        active.push(...begin(lanes));
        expect(lanes.active).toBe(active.length);
        expect(lanes.active).toBeLessThanOrEqual(MOST_ACTIVE);
        expect(lanes.held).toBe(held);
        const perEndpoint = new Map<string, number>();
        for (const { webhookId } of active) perEndpoint.set(webhookId, (perEndpoint.get(webhookId) ?? 0) + 1);
        expect(Math.max(0, ...perEndpoint.values())).toBeLessThanOrEqual(PER_ENDPOINT);
      }
      finish(lanes, active);
      drop(lanes.takeWaiting());
      expect([lanes.active, lanes.held]).toEqual([0, 0]);
    }),
  );
});
