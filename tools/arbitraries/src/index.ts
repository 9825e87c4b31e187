export { anyCharacter } from './any-character.js';
export { urlPart } from './url-part.js';
