export { EventFeedModule, type EventFeedOptions } from './event-feed.module.js';
