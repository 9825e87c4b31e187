export { parentInMemory } from './memory-parent.js';
