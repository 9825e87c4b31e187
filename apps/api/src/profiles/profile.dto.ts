import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { ApiError, JsonText, ParseBy } from '@petstore/http-server';
import { Day, InvalidProfileError, PetProfile } from '@petstore/pet-domain';
import { FREE_TEXT_INPUT_SCHEMA } from '../operations/schemas.js';
import { AMOUNT, BORN_ON, CURRENCY, DESCRIPTION, GOOD_WITH, HTTPS_URL, PHOTOS } from './profiles.docs.js';

/** Days by which the clock of this process may differ from the database's, which decides what tomorrow is. */
const CLOCK_TOLERANCE_DAYS = 1;

/** A member of a profile: its documentation. What is allowed is the domain's to say, for all members together. */
function ProfileMember(documented: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional(documented),
    ParseBy((sent) => (sent instanceof JsonText ? (JSON.parse(sent.source) as unknown) : sent), {
      isOptional: true,
    }),
  );
}

const text = (description: string, example: string): ApiPropertyOptions => ({
  ...FREE_TEXT_INPUT_SCHEMA,
  description,
  example,
});

const texts = (maxItems: number, description: string, example: readonly string[]): ApiPropertyOptions => ({
  type: 'array',
  minItems: 1,
  maxItems,
  items: FREE_TEXT_INPUT_SCHEMA,
  description,
  example,
});

const word = (words: readonly string[], description: string, example: string): ApiPropertyOptions => ({
  type: 'string',
  enum: [...words],
  description,
  example,
});

const flag = (description: string): ApiPropertyOptions => ({ type: 'boolean', description, example: true });

/** A profile as it is sent and returned. Documents `PetProfile`, in its order. */
@ApiSchema({
  name: 'PetProfile',
  description:
    'What adopters look at. A member that is absent is unknown; none is ever `null`. A profile has at most 16 KiB as JSON.',
})
export class PetProfileDto {
  @ProfileMember(text('Kind of animal: `dog`, `cat`, `rabbit`, whatever the shelter has.', 'dog'))
  species?: unknown;

  @ProfileMember(texts(PetProfile.MAX_BREEDS, 'The main breed first.', ['Labrador Retriever', 'Poodle']))
  breeds?: unknown;

  @ProfileMember(flag('Whether it is a mix of breeds.'))
  mixedBreed?: unknown;

  @ProfileMember(
    word(
      PetProfile.WORDS.ageGroup,
      'Changes only when somebody changes it; prefer `bornOn` to show an age.',
      'young',
    ),
  )
  ageGroup?: unknown;

  @ProfileMember(BORN_ON)
  bornOn?: unknown;

  @ProfileMember(word(PetProfile.WORDS.sex, 'Sex.', 'female'))
  sex?: unknown;

  @ProfileMember(word(PetProfile.WORDS.size, 'Size, grown up.', 'medium'))
  size?: unknown;

  @ProfileMember(word(PetProfile.WORDS.coat, 'Coat.', 'curly'))
  coat?: unknown;

  @ProfileMember(texts(PetProfile.MAX_COLORS, 'Colours, the main one first.', ['black', 'white']))
  colors?: unknown;

  @ProfileMember(DESCRIPTION)
  description?: unknown;

  @ProfileMember(GOOD_WITH)
  goodWith?: unknown;

  @ProfileMember(flag('Whether it is spayed or neutered.'))
  spayedNeutered?: unknown;

  @ProfileMember(flag('Whether it is house-trained.'))
  houseTrained?: unknown;

  @ProfileMember(flag('Whether its vaccinations are up to date.'))
  vaccinated?: unknown;

  @ProfileMember(flag('Whether it has special needs.'))
  specialNeeds?: unknown;

  @ProfileMember({
    type: 'object',
    required: ['amount', 'currency'],
    properties: { amount: AMOUNT, currency: CURRENCY },
    description: 'What an adopter pays.',
    example: { amount: '120.00', currency: 'EUR' },
  })
  adoptionFee?: unknown;

  @ProfileMember(text('Where it can be seen.', 'Foster home in Leeds'))
  location?: unknown;

  @ProfileMember(text('The number that the shelter gave it.', 'L-2026-117'))
  reference?: unknown;

  @ProfileMember({
    ...HTTPS_URL,
    description: 'Its page at the shelter.',
    example: 'https://shelter.example/animals/42',
  })
  page?: unknown;

  @ProfileMember(PHOTOS)
  photos?: unknown;
}

/**
 * The profile that a body is. Whether `bornOn` is at most tomorrow is only nearly known here: the database's clock
 * decides, when the profile is kept.
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
