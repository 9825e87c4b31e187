// What the operator's tool shares with the service: it reads the same environment, and gives the same scopes and plans.
export { keyModeOf, keyModeWarning } from './access/key-mode.js';
export { pepperProblem, peppersOf } from './access/pepper.js';
export { PETSTORE_PLANS } from './access/petstore-plans.js';
export { PETSTORE_SCOPES } from './access/petstore-scopes.js';
export { createRedisClient, LIMIT_KEY_PREFIX } from './access/redis-client.js';
export {
  type Configuration,
  ConfigurationError,
  type Environment,
  readConfiguration,
} from './configuration/configuration.js';
