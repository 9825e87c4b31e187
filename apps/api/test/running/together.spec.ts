// Loaded once: see jest.suite.config.mjs.
import './seeing.spec.js';
import './stopping.spec.js';
import './two-instances.spec.js';
