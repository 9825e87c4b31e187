export { PETSTORE_SCOPES } from './petstore-scopes.js';
