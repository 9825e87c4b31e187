// Loaded once: see jest.suite.config.mjs.
import '../events/events.spec.js';
import './order-actions.spec.js';
import './order-visibility.spec.js';
import './orders.spec.js';
