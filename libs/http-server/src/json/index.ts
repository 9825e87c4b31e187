export { JsonNumber } from './json-number.js';
export { type JsonObject, JsonObjectError, parseJsonObject } from './json-object.js';
