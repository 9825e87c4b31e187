export { JsonNumber, type JsonObject, JsonObjectError, parseJsonObject } from './json-object.js';
