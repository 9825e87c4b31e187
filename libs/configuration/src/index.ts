export { type Configuration, readConfiguration } from './configuration.js';
export { ConfigurationError, type Environment, type Setting, type SettingText } from './setting.js';
export { SETTINGS } from './settings.js';
