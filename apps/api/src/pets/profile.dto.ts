import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { ApiError, ParseBy } from '@petstore/http-server';
import { PetProfile } from '@petstore/pet-domain';

/** A profile with every member. */
export const PROFILE_EXAMPLE = Object.fromEntries(
  PetProfile.MEMBERS.map((member) => [member, PetProfile.FIELDS[member].schema.example]),
);

/** Declares the members of a profile, all of which a body may lack. {@link profileOf} says what is allowed. */
function ProfileMembers(): ClassDecorator {
  return ({ prototype }) => {
    for (const member of PetProfile.MEMBERS) {
      const schema = PetProfile.FIELDS[member].schema as ApiPropertyOptions;
      const decorate = applyDecorators(
        // An object names its own required members, where `required` is whether it is required itself elsewhere.
        schema.type === 'object'
          ? ApiProperty({ ...schema, selfRequired: false })
          : ApiPropertyOptional(schema),
        ParseBy((sent) => sent, { isOptional: true }),
      );
      decorate(prototype as object, member);
    }
  };
}

/** What Nest passes on to the schema, also what its type does not name. */
const SCHEMA = {
  name: 'PetProfile',
  description: `What adopters look at. A member that is absent is unknown; none is ever \`null\`. A profile has at most ${PetProfile.MAX_SIZE} as JSON.`,
  example: PROFILE_EXAMPLE,
};

/** A profile as it is sent and returned. Documents `PetProfile`, in its order. */
@ApiSchema(SCHEMA)
@ProfileMembers()
export class PetProfileDto {
  readonly [member: string]: unknown;
}

/** The profile in a body. @throws {ApiError} `validation_failed`, with the path of the first member that is wrong */
export function profileOf(body: PetProfileDto): PetProfile {
  return PetProfile.of(body, (path, problem) => {
    throw new ApiError('validation_failed', { message: `${path} ${problem}.` });
  });
}
