export { CONFIGURATION, ConfigurationModule } from './configuration.module.js';
