// Loaded once: see jest.suite.config.mjs.
import './adoptable-animals.spec.js';
import './attributes.spec.js';
import './client-module.spec.js';
import './details.spec.js';
import './filters.spec.js';
import './freshness.spec.js';
