import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { ApiError, ParseBy } from '@petstore/http-server';
import { Day, InvalidProfileError, PetProfile } from '@petstore/pet-domain';
import {
  AMOUNT,
  BORN_ON,
  CURRENCY,
  DESCRIPTION,
  flag,
  GOOD_WITH,
  HTTPS_URL,
  PHOTOS,
  PROFILE,
  text,
  texts,
  word,
} from './profile.schemas.js';

/** Days by which the clock of this process may differ from the database's, which decides what tomorrow is. */
const CLOCK_TOLERANCE_DAYS = 1;

/** What the document says of the members of a profile, in their order. */
export const PROFILE_MEMBERS: Readonly<Record<keyof PetProfileDto, ApiPropertyOptions>> = {
  species: text('Kind of animal: `dog`, `cat`, `rabbit`, whatever the shelter has.', 'dog'),
  breeds: texts(PetProfile.MAX_BREEDS, 'The main breed first.', ['Labrador Retriever', 'Poodle']),
  mixedBreed: flag('Whether it is a mix of breeds.'),
  ageGroup: word(
    PetProfile.WORDS.ageGroup,
    'Does not follow from `bornOn`; prefer that to show an age.',
    'young',
  ),
  bornOn: BORN_ON,
  sex: word(PetProfile.WORDS.sex, 'Sex.', 'female'),
  size: word(PetProfile.WORDS.size, 'Size, grown up.', 'medium'),
  coat: word(PetProfile.WORDS.coat, 'Coat.', 'curly'),
  colors: texts(PetProfile.MAX_COLORS, 'Colours, the main one first.', ['black', 'white']),
  description: DESCRIPTION,
  goodWith: GOOD_WITH,
  spayedNeutered: flag('Whether it is spayed or neutered.'),
  houseTrained: flag('Whether it is house-trained.'),
  vaccinated: flag('Whether its vaccinations are up to date.'),
  specialNeeds: flag('Whether it has special needs.'),
  adoptionFee: {
    type: 'object',
    required: ['amount', 'currency'],
    properties: { amount: AMOUNT, currency: CURRENCY },
    description: 'What an adopter pays.',
    example: { amount: '120.00', currency: 'EUR' },
  },
  location: text('Where it can be seen.', 'Foster home in Leeds'),
  reference: text('The number that the shelter gave it.', 'L-2026-117'),
  page: {
    ...HTTPS_URL,
    description: 'Its page at the shelter.',
    example: 'https://shelter.example/animals/42',
  },
  photos: PHOTOS,
};

/** A member of a profile: its documentation. What is allowed is the domain's to say, for all members together. */
function ProfileMember(name: keyof PetProfileDto): PropertyDecorator {
  const documented = PROFILE_MEMBERS[name];
  return applyDecorators(
    // An object names its own required members, where `required` is whether it is required itself elsewhere.
    documented.type === 'object'
      ? ApiProperty({ ...documented, selfRequired: false })
      : ApiPropertyOptional(documented),
    ParseBy((sent) => sent, { isOptional: true }),
  );
}

/** What Nest passes on to the schema, also what its type does not name. */
const SCHEMA = {
  name: 'PetProfile',
  description: `What adopters look at. A member that is absent is unknown; none is ever \`null\`. A profile has at most ${PetProfile.MAX_SIZE} as JSON.`,
  example: PROFILE,
};

/** A profile as it is sent and returned. Documents `PetProfile`, in its order. */
@ApiSchema(SCHEMA)
export class PetProfileDto {
  @ProfileMember('species')
  species?: unknown;

  @ProfileMember('breeds')
  breeds?: unknown;

  @ProfileMember('mixedBreed')
  mixedBreed?: unknown;

  @ProfileMember('ageGroup')
  ageGroup?: unknown;

  @ProfileMember('bornOn')
  bornOn?: unknown;

  @ProfileMember('sex')
  sex?: unknown;

  @ProfileMember('size')
  size?: unknown;

  @ProfileMember('coat')
  coat?: unknown;

  @ProfileMember('colors')
  colors?: unknown;

  @ProfileMember('description')
  description?: unknown;

  @ProfileMember('goodWith')
  goodWith?: unknown;

  @ProfileMember('spayedNeutered')
  spayedNeutered?: unknown;

  @ProfileMember('houseTrained')
  houseTrained?: unknown;

  @ProfileMember('vaccinated')
  vaccinated?: unknown;

  @ProfileMember('specialNeeds')
  specialNeeds?: unknown;

  @ProfileMember('adoptionFee')
  adoptionFee?: unknown;

  @ProfileMember('location')
  location?: unknown;

  @ProfileMember('reference')
  reference?: unknown;

  @ProfileMember('page')
  page?: unknown;

  @ProfileMember('photos')
  photos?: unknown;
}

/**
 * The profile in a body. Whether `bornOn` is at most tomorrow is only checked roughly: the database's clock decides when the
 * profile is stored.
 *
 * @throws {ApiError} `validation_failed`, with the path of the first member that is wrong
 */
export function profileOf(body: PetProfileDto): PetProfile {
  return orValidationFailed(() =>
    PetProfile.of(body as Readonly<Record<string, unknown>>, Day.of(new Date(), 1 + CLOCK_TOLERANCE_DAYS)),
  );
}

/** Calls what makes or checks a profile. @throws {ApiError} `validation_failed` */
export function orValidationFailed<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof InvalidProfileError)) throw error;
    throw new ApiError('validation_failed', { message: `${error.message}.` });
  }
}
