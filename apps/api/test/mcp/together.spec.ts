// Loaded once: see jest.suite.config.mjs.
import './animal-tools.spec.js';
import './clients.spec.js';
import './endpoint.spec.js';
import './protocol.spec.js';
import './search.spec.js';
import './tools.spec.js';
