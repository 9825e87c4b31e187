import { defineSettings, hostName, settings, type SettingsOf, wholeNumber } from '../settings/settings.js';

/** The listener for operators. */
export const MANAGEMENT_SETTINGS = defineSettings('the management listener', {
  opsHost: hostName.prefault('127.0.0.1').register(settings, {
    variable: 'OPS_HOST',
    meaning: 'Address that the management listener binds to; the public should not reach it.',
  }),
  opsPort: wholeNumber(0, 65_535).optional().register(settings, {
    variable: 'OPS_PORT',
    meaning:
      'Port of the management listener with /metrics, /livez and /readyz; 0 takes a free one. No such listener without it.',
  }),
});

export type ManagementSettings = SettingsOf<typeof MANAGEMENT_SETTINGS>;
