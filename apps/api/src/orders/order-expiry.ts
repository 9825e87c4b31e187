import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter, Telemetry } from '@petstore/observability';
import { Scheduler } from '@petstore/persistence';
import { OrdersService } from './orders.service.js';

/** Between two runs of the job, in milliseconds. */
const INTERVAL_MS = 5_000;
/** Orders in one transaction, which keeps their animals locked. */
const BATCH_SIZE = 100;

/** Lets orders expire at most ten seconds after their time, while at least one instance works. */
@Injectable()
export class OrderExpiry implements OnModuleInit {
  private readonly expired: Counter;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly orders: OrdersService,
    { registry }: Telemetry,
  ) {
    this.expired = new Counter({
      name: 'petstore_orders_expired_total',
      help: 'Orders that have expired.',
      registers: [registry],
    });
  }

  onModuleInit(): void {
    this.scheduler.register({
      name: 'orders:expire',
      intervalMs: INTERVAL_MS,
      run: (signal) => this.expire(signal),
    });
  }

  private async expire(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const expired = await this.orders.expire(BATCH_SIZE);
      // Fewer than a batch are not the end: locked animals may have been released meanwhile.
      if (expired === 0) return;
      this.expired.inc(expired);
    }
  }
}
