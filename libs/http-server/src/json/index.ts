export { JsonNumber, JsonObjectError, parseJsonObject } from './json-object.js';
