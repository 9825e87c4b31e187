import { Documented, type Swagger } from '@petstore/http-kernel';
import type { EventPosition } from '@petstore/event-feed';
import type { FreeText } from '@petstore/pet-domain';
import type { WebhookStatus } from '@petstore/webhook';
import { BodyProperty, type BodyPropertyRule } from '../operations/body-property.decorator.js';
import {
  AFTER_PROPERTY,
  DEFAULT_OVERLAP_HOURS,
  DESCRIPTION_PROPERTY,
  OVERLAP_PROPERTY,
  STATUS_PROPERTY,
  TYPES_PROPERTY,
  URL_PROPERTY,
} from './webhook.properties.js';
import { WebhookTypes } from '@petstore/webhook';

type DocumentedProperty = NonNullable<Parameters<Swagger['ApiProperty']>[0]>;

/** Types as a request may name them. */
const GIVEN_TYPES = {
  ...TYPES_PROPERTY.schema,
  items: { type: 'string', enum: [...WebhookTypes.ALL] },
} as unknown as DocumentedProperty;

@Documented(({ ApiSchema }) => ApiSchema({ name: 'NewWebhook', description: 'A webhook to be added.' }))
export class NewWebhookDto {
  @BodyProperty('url', URL_PROPERTY.schema, URL_PROPERTY.rule)
  url!: string;

  @BodyProperty('types', GIVEN_TYPES, { ...TYPES_PROPERTY.rule, isOptional: true })
  types?: unknown;

  @BodyProperty('description', DESCRIPTION_PROPERTY.schema, {
    ...DESCRIPTION_PROPERTY.rule,
    isOptional: true,
  })
  description?: FreeText;
}

const KEPT = { isOptional: true, refusalOfNull: 'cannot be removed' } as const;

/** In a merge patch `null` removes a member (RFC 7396). */
function orNull(rule: BodyPropertyRule): BodyPropertyRule {
  return { ...rule, parse: (json) => (json === null ? null : rule.parse(json)), isOptional: true };
}

/** OpenAPI 3.1 knows `null` as a type, which the package's types do not. */
function nullable(schema: object): DocumentedProperty {
  const { type, example, description, ...rest } = schema as Record<string, unknown>;
  return {
    description: `${String(description)} \`null\` takes it away.`,
    example,
    oneOf: [{ type, ...rest }, { type: 'null' }],
  } as unknown as DocumentedProperty;
}

@Documented(({ ApiSchema }) =>
  ApiSchema({
    name: 'WebhookPatch',
    description: 'What is to change of a webhook; the rest stays as it is.',
  }),
)
export class WebhookPatchDto {
  @BodyProperty('url', URL_PROPERTY.schema, { ...URL_PROPERTY.rule, ...KEPT })
  url?: string;

  @BodyProperty('types', nullable(GIVEN_TYPES), orNull(TYPES_PROPERTY.rule))
  types?: unknown;

  @BodyProperty('description', nullable(DESCRIPTION_PROPERTY.schema), orNull(DESCRIPTION_PROPERTY.rule))
  description?: FreeText | null;

  @BodyProperty('status', STATUS_PROPERTY.schema, { ...STATUS_PROPERTY.rule, ...KEPT })
  status?: WebhookStatus;
}

@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'SecretRotation', description: 'How a secret is replaced.' }),
)
export class SecretRotationDto {
  @BodyProperty('overlapHours', OVERLAP_PROPERTY.schema, { ...OVERLAP_PROPERTY.rule, isOptional: true })
  overlapHours?: unknown;

  /** What a valid body asks for. */
  static toHours({ overlapHours }: SecretRotationDto): number {
    return OVERLAP_PROPERTY.rule.parse(overlapHours) ?? DEFAULT_OVERLAP_HOURS;
  }
}

@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'NewRecovery', description: 'Which events are to be delivered again.' }),
)
export class NewRecoveryDto {
  @BodyProperty('after', AFTER_PROPERTY.schema, AFTER_PROPERTY.rule)
  after!: unknown;

  /** What a valid body asks for. */
  static toPosition({ after }: NewRecoveryDto): EventPosition {
    const position = AFTER_PROPERTY.rule.parse(after);
    if (position === undefined) throw new TypeError('The body has not been validated.');
    return position;
  }
}
