import type { MigrationInterface } from 'typeorm';
import { InitialSchema1795478400000 } from './1795478400000-initial-schema.js';
import { PlansOfTheService1795651200000 } from './1795651200000-plans-of-the-service.js';
import { PetSources1795824000000 } from './1795824000000-pet-sources.js';
import { PublishableKeys1795842000000 } from './1795842000000-publishable-keys.js';

/**
 * All migrations, oldest first; a name ends in the milliseconds since 1970 at which it was written. A released one is
 * never edited or removed: a later one corrects it.
 */
export const MIGRATIONS: readonly (new () => MigrationInterface)[] = [
  InitialSchema1795478400000,
  PlansOfTheService1795651200000,
  PetSources1795824000000,
  PublishableKeys1795842000000,
];
