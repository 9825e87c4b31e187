export { JsonNumber } from './json-number.js';
export { JsonObjectError } from './json-object.error.js';
export { type JsonObject, JsonText, parseJsonObject } from './json-object.js';
