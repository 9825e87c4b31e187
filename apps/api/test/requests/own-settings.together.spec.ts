// Loaded once: see jest.suite.config.mjs.
import './every-error.spec.js';
import './every-response.spec.js';
import './publishable-keys.spec.js';
import './write-order.spec.js';
import './connections.spec.js';
