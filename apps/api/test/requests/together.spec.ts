// What may run on one service, loaded once: see jest.suite.config.mjs.
import './values.spec.js';
import './list-filters.spec.js';
import './unknown-parameters.spec.js';
import './malformed-requests.spec.js';
import './request-body.spec.js';
import './idempotency.spec.js';
import './credentials.spec.js';
import './preconditions.spec.js';
import './order-of-work.spec.js';
