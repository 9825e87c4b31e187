// Loaded once: see jest.suite.config.mjs.
import '../events/events.spec.js';
import './order-actions.spec.js';
import './order-visibility.spec.js';
import './orders.spec.js';
import '../webhooks/webhook-deliveries.spec.js';
import '../webhooks/webhook-receiving.spec.js';
