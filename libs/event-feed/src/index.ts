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
export { EventNotifier } from './event-notifier.js';
export {
  EVENT_TYPES,
  EVENTS,
  type EventResource,
  type EventType,
  resourceOf,
  type UpdatedResource,
} from './event-types.js';
export { EVENT_RESOURCES, EVENT_SCOPES, type EventVisibility, visibleEvents } from './event-visibility.js';
