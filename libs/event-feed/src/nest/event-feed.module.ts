import {
  type BeforeApplicationShutdown,
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { EventSequencer, type SequencerLog, type SequencingStore } from '../event-sequencer.js';
import type { EventNotifier } from '../event-notifier.js';

/** Options of {@link EventFeedModule}. */
export interface EventFeedOptions {
  readonly store: SequencingStore;
  readonly notifier: EventNotifier;
  readonly log: SequencerLog;
  /** Whether this process gives events their positions. */
  readonly sequences: boolean;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<EventFeedOptions>()
  .setClassMethodName('forRoot')
  .build();

/**
 * Runs the {@link EventSequencer} while the application runs, unless told otherwise. It has stopped before Nest closes
 * what the store needs (`OnApplicationShutdown`).
 */
@Module({
  providers: [
    {
      provide: EventSequencer,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ store, notifier, log }: EventFeedOptions) => new EventSequencer(store, notifier, log),
    },
  ],
  exports: [EventSequencer],
})
export class EventFeedModule
  extends ConfigurableModuleClass
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  constructor(
    private readonly sequencer: EventSequencer,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: EventFeedOptions,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    if (this.options.sequences) this.sequencer.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sequencer.stop();
  }
}
