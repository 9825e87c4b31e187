export { parentInMemory } from './memory-parent.js';
export { waitFor } from './wait-for.js';
