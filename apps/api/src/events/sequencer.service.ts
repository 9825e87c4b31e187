import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { EventSequencer, EventSignal } from '@petstore/event-feed';
import { OutboxStore } from '@petstore/persistence';
import { type Log, LOG } from '../logging/log.js';

/** Gives events their positions while the service runs, unless this instance only serves (`WORKER=off`). */
@Injectable()
export class SequencerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sequencer: EventSequencer;

  constructor(
    store: OutboxStore,
    signal: EventSignal,
    @Inject(LOG) log: Log,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    this.sequencer = new EventSequencer(store, signal, log);
  }

  onApplicationBootstrap(): void {
    if (this.configuration.worker) this.sequencer.start();
  }

  /** Called by Nest before the connections to the database are closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.sequencer.stop();
  }
}
