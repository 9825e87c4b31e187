export { JsonNumber } from './json-number.js';
export { JsonObjectError, MAX_JSON_DEPTH } from './json-object.error.js';
export { type JsonObject, JsonText, parseJsonObject } from './json-object.js';
