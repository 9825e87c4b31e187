import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { SchemaObject } from '@petstore/http-server';
import { type Day, FreeText, HttpsUrl, PetProfile } from '@petstore/pet-domain';
import { textInputSchema, textSchema } from '../operations/schemas.js';

/** No `format: uri`: `[` and a lone `%` are allowed. */
export const HTTPS_URL = {
  type: 'string',
  maxLength: HttpsUrl.MAX_LENGTH,
  pattern: '^https://[!$-.0-;=A-Z\\[\\]_a-z~]+([/?#][!#-;=?-\\[\\]_a-z~]*)?$',
} as const;

export const BORN_ON: ApiPropertyOptions = {
  type: 'string',
  format: 'date',
  maxLength: 10,
  description: `Day of birth, which may be a guess: from ${PetProfile.EARLIEST_BIRTH} to tomorrow (UTC).`,
  example: '2024-02-29',
};

export const DESCRIPTION: ApiPropertyOptions = {
  ...textSchema(PetProfile.DESCRIPTION),
  description: `Plain text, never markup: escape it where it is shown. Lines end with a line feed. The whole profile has at most ${PetProfile.MAX_SIZE}, so that not everything can be as long as it may be.`,
  example: 'Loves water.\nNeeds a garden.',
};

export const GOOD_WITH: ApiPropertyOptions = {
  type: 'object',
  minProperties: 1,
  properties: {
    children: { type: 'boolean' },
    dogs: { type: 'boolean' },
    cats: { type: 'boolean' },
  },
  description: 'Who it gets along with: at least one of them.',
  example: { children: true, cats: false },
};

export const AMOUNT = {
  type: 'string',
  maxLength: 14,
  pattern: PetProfile.AMOUNT.source,
  description: 'A decimal number, kept as it is sent; `0` is free of charge.',
} as const;

export const CURRENCY = {
  type: 'string',
  minLength: 3,
  maxLength: 3,
  pattern: PetProfile.CURRENCY.source,
  description: 'Three capital letters, as in ISO 4217.',
} as const;

const PHOTO: SchemaObject = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { ...HTTPS_URL, description: 'Where the photo is. The service never connects to it.' },
    description: { ...textInputSchema(FreeText), description: 'For people who do not see the photo.' },
  },
};

export const PHOTOS: ApiPropertyOptions = {
  type: 'array',
  minItems: 1,
  maxItems: PetProfile.MAX_PHOTOS,
  items: PHOTO,
  description: `The best first; their URLs are all different. The whole profile has at most ${PetProfile.MAX_SIZE}, so that twenty of the longest URLs do not fit.`,
  example: [{ url: 'https://shelter.example/photos/42-1.jpg', description: 'On the sofa' }],
};

export const text = (description: string, example: string): ApiPropertyOptions => ({
  ...textInputSchema(FreeText),
  description,
  example,
});

export const texts = (
  maxItems: number,
  description: string,
  example: readonly string[],
): ApiPropertyOptions => ({
  type: 'array',
  minItems: 1,
  maxItems,
  items: textInputSchema(FreeText),
  description,
  example,
});

export const word = (words: readonly string[], description: string, example: string): ApiPropertyOptions => ({
  type: 'string',
  enum: [...words],
  description,
  example,
});

export const flag = (description: string): ApiPropertyOptions => ({
  type: 'boolean',
  description,
  example: true,
});

/** Of an animal that is looked for a home. */
export const PROFILE = {
  species: 'dog',
  breeds: ['Labrador Retriever', 'Poodle'],
  mixedBreed: true,
  ageGroup: 'young',
  bornOn: '2024-02-29' as Day,
  sex: 'female',
  size: 'medium',
  colors: ['black'],
  description: 'Loves water.\nNeeds a garden.',
  goodWith: { children: true, cats: false },
  vaccinated: true,
  adoptionFee: { amount: '120.00', currency: 'EUR' },
  location: 'Foster home in Leeds',
  photos: [{ url: 'https://shelter.example/photos/42-1.jpg', description: 'On the sofa' }],
};
