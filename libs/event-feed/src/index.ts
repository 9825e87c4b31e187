export { EVENT_RESOURCES, type EventResource, type FeedEvent } from './event.js';
export {
  type EventFeed,
  type EventPage,
  type EventPageRequest,
  type OrderEventsSeen,
  PositionGoneError,
} from './event-feed.js';
export { EventPosition } from './event-position.js';
export { EventSequencer, type SequencerLog } from './event-sequencer.js';
export { EventSignal } from './event-signal.js';
export type { Backlog, SequencingOutcome, SequencingStore } from './sequencing-store.js';
