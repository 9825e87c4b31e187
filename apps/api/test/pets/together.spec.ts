// Loaded once: see jest.suite.config.mjs.
import './change-pet.spec.js';
import './create-pet.spec.js';
import './list-pets.spec.js';
import './search-pets.spec.js';
import '../categories/categories.spec.js';
import '../profiles/profiles.spec.js';
import '../webhooks/webhooks.spec.js';
