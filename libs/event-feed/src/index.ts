export {
  type EventPage,
  type EventPageRequest,
  type FeedLimits,
  PositionGoneError,
  requireKept,
} from './event-page.js';
export { EventPosition } from './event-position.js';
export {
  type Backlog,
  EventSequencer,
  type SequencingOutcome,
  type SequencingStore,
} from './event-sequencer.js';
export { EventSignal } from './event-signal.js';
export {
  EVENT_RESOURCES,
  EVENT_SCOPES,
  type EventResource,
  type EventVisibility,
  visibleEvents,
} from './event-visibility.js';
