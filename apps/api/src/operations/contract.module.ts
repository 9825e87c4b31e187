import type { Configuration } from '../configuration/configuration.js';
import { CONFIGURATION } from '../configuration/configuration.module.js';
import { type Clock, CLOCK } from './clock.js';
import { API_BASE_PATH } from './operation.js';
import { OperationsModule } from './operations.module.js';

/** The operations of all resources, with the settings of the deprecated ones. */
export const ContractModule = OperationsModule.forRootAsync({
  inject: [CONFIGURATION, CLOCK],
  useFactory: (configuration: Configuration, now: Clock) => ({
    baseUrl: configuration.publicBaseUrl ?? API_BASE_PATH,
    now,
    settings: {
      getPet: {
        since: configuration.getPetDeprecatedSince,
        afterSunset: configuration.getPetAfterSunset,
      },
    },
  }),
});
