import { EventNotifier } from '@petstore/event-feed';
import { DeliveryNotifier } from '@petstore/webhook';
import { KeyLookupStore } from '../src/api-keys/key-lookup.store.js';
import { ApiKeyTables } from '../src/api-keys/api-key-tables.js';
import { KeyUsageCounters } from '../src/api-keys/key-usage-counters.js';
import { Database } from '../src/database/database.js';
import { EventFeed } from '../src/events/event.feed.js';
import { OutboxStore } from '../src/events/outbox.store.js';
import { PetInventoryStore } from '../src/pets/pet-inventory.store.js';
import { OrderStore } from '../src/orders/order.store.js';
import { PetStore } from '../src/pets/pet.store.js';
import type { DataSourceSettings } from '../src/schema/data-source.js';
import { UnitOfWork } from '../src/unit-of-work/unit-of-work.js';
import { WebhookMaintenance } from '../src/webhooks/webhook.maintenance.js';
import { DeliveryQueueStore } from '../src/webhooks/delivery-queue.store.js';
import { DeliveryStore } from '../src/webhooks/delivery.store.js';

/** A database and the stores on it, as the service has them. The test closes it. */
export class Stores {
  readonly eventNotifier = new EventNotifier();
  readonly deliveryNotifier = new DeliveryNotifier();
  readonly unitOfWork = new UnitOfWork(this.database, this.eventNotifier);
  readonly pets = new PetStore(this.database, this.eventNotifier);
  readonly petInventory = new PetInventoryStore(this.database);
  readonly orders = new OrderStore(this.database);
  readonly eventFeed = new EventFeed(this.database);
  readonly sequencing = new OutboxStore(this.unitOfWork, this.deliveryNotifier);

  readonly deliveries = new DeliveryStore(this.database);
  readonly deliveryQueue = new DeliveryQueueStore(this.unitOfWork);
  readonly webhookMaintenance = new WebhookMaintenance(this.unitOfWork);
  readonly apiKeys = new ApiKeyTables(this.database);
  readonly keyLookup = new KeyLookupStore(this.database);
  readonly keyUsage = new KeyUsageCounters(this.database);

  private constructor(readonly database: Database) {}

  static async open(settings: DataSourceSettings): Promise<Stores> {
    return new Stores(await Database.open(settings));
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
