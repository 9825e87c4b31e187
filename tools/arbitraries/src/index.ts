export { anyCharacter } from './any-character.js';
