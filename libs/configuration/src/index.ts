export { type Configuration, readConfiguration } from './configuration.js';
export {
  ConfigurationError,
  defineSettings,
  type Environment,
  mergeSettings,
  optionalSetting,
  readSettings,
  type Setting,
  type SettingGroup,
  type SettingText,
  settingWithDefault,
  type ValuesOf,
} from './setting.js';
export { SETTINGS } from './settings.js';
