import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { EventSequencer, EventSignal } from '@petstore/event-feed';
import { OutboxStore } from '@petstore/persistence';
import { type Log, LOG } from '../logging/log.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';

/** Gives events their positions while the service runs, unless this instance only serves (`WORKER=off`). */
@Injectable()
export class SequencerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sequencer: EventSequencer;

  constructor(
    store: OutboxStore,
    signal: EventSignal,
    @Inject(LOG) log: Log,
    @Inject(STORAGE_SETTINGS.KEY) private readonly settings: StorageSettings,
  ) {
    this.sequencer = new EventSequencer(store, signal, log);
  }

  onApplicationBootstrap(): void {
    if (this.settings.worker) this.sequencer.start();
  }

  /** Called by Nest before the connections to the database are closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.sequencer.stop();
  }
}
