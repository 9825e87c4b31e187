// Loaded once: see jest.suite.config.mjs.
import './docs.spec.js';
import './docs-tables.spec.js';
import './guide.spec.js';
import './openapi.spec.js';
