export { JsonNumber } from './json-number.js';
export { type JsonObject, JsonObjectError, JsonText, parseJsonObject } from './json-object.js';
