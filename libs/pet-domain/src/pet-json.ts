import { jsonTextOf } from './fields-json.js';
import { type Pet, PET_FIELDS } from './pet.js';

/** An animal as JSON text (specification, section 2, Pet). */
export const petJson: (pet: Pet) => string = jsonTextOf<Pet>(PET_FIELDS);
