export { EVENT_RESOURCES, type EventResource } from './event.js';
export {
  type EventPage,
  type EventPageRequest,
  type FeedLimits,
  PositionGoneError,
  requireKept,
} from './event-page.js';
export { EventPosition } from './event-position.js';
export { EventSequencer } from './event-sequencer.js';
export { EventSignal } from './event-signal.js';
export type { Backlog, SequencingOutcome, SequencingStore } from './sequencing-store.js';
export { EVENT_SCOPES, type EventVisibility, visibleEvents } from './event-visibility.js';
