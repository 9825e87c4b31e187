// What the operator's tool shares with the service: it reads the same environment.
export {
  type Configuration,
  ConfigurationError,
  type Environment,
  readConfiguration,
} from './configuration/configuration.js';
