import { EventSignal } from '@petstore/event-feed';

/** Tells the sender of this process that deliveries are due: no more than a hint. A class of its own to inject. */
export class DeliverySignal extends EventSignal {}
