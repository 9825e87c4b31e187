import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { ApiKeyEvent } from './api-key-event.js';
import { ApiKeyEventBus } from './api-key-event-bus.js';

/** Passes every event of the bus to all listeners in this process. Owns the bus: closes it with the application. */
@Injectable()
export class ApiKeyEventDispatcher implements OnApplicationShutdown {
  private readonly listeners: ((event: ApiKeyEvent) => void)[] = [];

  /** @param bus none where this is the only process; then nothing is dispatched */
  constructor(@Optional() private readonly bus?: ApiKeyEventBus) {}

  /** Adds a listener for as long as the process lives. It must not throw. */
  listen(listener: (event: ApiKeyEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Resolves when events arrive, or when the bus will go on trying by itself. Never rejects. */
  async start(): Promise<void> {
    await this.bus?.subscribe((event) => {
      for (const listener of this.listeners) listener(event);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.bus?.close();
  }
}
