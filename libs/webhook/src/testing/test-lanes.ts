import type { ClaimedDelivery } from '../delivery/delivery-queue.js';
import type { EndpointLanes } from '../delivery/endpoint-lanes.js';
import type { WebhookId } from '../endpoint/webhook-id.js';

let count = 0;

/** A delivery to an endpoint. */
export const of = (endpoint: number): ClaimedDelivery => ({
  id: String(++count) as ClaimedDelivery['id'],
  webhookId: String(endpoint) as WebhookId,
  messageId: `evt_${count}`,
  isTest: false,
  attempt: 1,
  attemptedBefore: undefined,
  url: '',
  sealedSecrets: [],
  body: '',
});

/** So many deliveries to an endpoint. */
export const many = (endpoint: number, size: number): ClaimedDelivery[] =>
  Array.from({ length: size }, () => of(endpoint));

/** Begins all attempts that may begin. */
export function begin(lanes: EndpointLanes<ClaimedDelivery>): ClaimedDelivery[] {
  const begun: ClaimedDelivery[] = [];
  for (let next = lanes.next(); next !== undefined; next = lanes.next()) begun.push(next);
  return begun;
}

/** Ends attempts and settles them. */
export function finish(lanes: EndpointLanes<ClaimedDelivery>, deliveries: readonly ClaimedDelivery[]): void {
  for (const delivery of deliveries) lanes.end(delivery);
  lanes.remove(deliveries);
}
