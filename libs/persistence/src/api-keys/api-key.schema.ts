import {
  ApiKey,
  type AuditEntry,
  type KeyDay,
  type KeyHint,
  type KeyId,
  type KeyOverview,
  KeyOrigins,
  KeyPlan,
  type KeySecret,
  Scope,
} from '@petstore/api-key';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { COUNT, OPTIONAL } from '../sql/columns.js';

const text = (name: string): EntitySchemaColumnOptions => ({ name, type: 'text' });
const time = (name: string): EntitySchemaColumnOptions => ({ name, type: 'timestamptz' });
const optional = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({
  ...column,
  nullable: true,
  transformer: OPTIONAL,
});

/** The table `api_keys`; its secrets are loaded when they are joined. */
export const ApiKeySchema = new EntitySchema<ApiKey>({
  name: 'ApiKey',
  target: ApiKey,
  tableName: 'api_keys',
  columns: {
    id: { type: 'text', primary: true },
    createdAt: time('created_at'),
    revokedAt: optional(time('revoked_at')),
  },
  embeddeds: {
    settings: {
      prefix: false,
      schema: new EntitySchema<ApiKey['settings']>({
        name: 'KeySettings',
        columns: {
          name: text('name'),
          scopes: {
            type: 'text',
            array: true,
            transformer: { to: (scopes: unknown) => scopes, from: toScopes },
          },
          expiresAt: optional(time('expires_at')),
          origins: {
            type: 'text',
            array: true,
            transformer: {
              to: (origins?: KeyOrigins) => origins?.entries ?? [],
              from: (entries: readonly string[]) => KeyOrigins.ofStored(entries),
            },
          },
        },
        embeddeds: {
          plan: {
            prefix: false,
            schema: new EntitySchema<KeyPlan>({
              name: 'KeyPlan',
              target: KeyPlan,
              columns: {
                name: text('plan'),
                perMinute: optional({ name: 'per_minute', type: 'integer' }),
                perDay: optional({ name: 'per_day', type: 'integer' }),
              },
            }),
          },
        },
      }),
    },
  },
  relations: { secrets: { type: 'one-to-many', target: 'KeySecret', inverseSide: 'key' } },
});

/** The table `api_key_secrets`; never the secret itself. */
export const KeySecretSchema = new EntitySchema<KeySecret & { readonly key: ApiKey }>({
  name: 'KeySecret',
  tableName: 'api_key_secrets',
  columns: {
    hash: { type: 'text', primary: true },
    pepperId: text('pepper_id'),
    createdAt: time('created_at'),
    validUntil: optional(time('valid_until')),
  },
  embeddeds: {
    hint: {
      prefix: false,
      schema: new EntitySchema<KeyHint>({
        name: 'KeyHint',
        columns: { prefix: text('prefix'), lastFour: text('last_four') },
      }),
    },
  },
  relations: {
    key: { type: 'many-to-one', target: 'ApiKey', inverseSide: 'secrets', joinColumn: { name: 'key_id' } },
  },
});

/** The table `api_key_audit`, which takes new rows and nothing else. */
export const AuditEntrySchema = new EntitySchema<AuditEntry & { readonly id: string }>({
  name: 'AuditEntry',
  tableName: 'api_key_audit',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment' },
    keyId: text('key_id'),
    at: time('at'),
    action: text('action'),
    by: text('done_by'),
    details: { type: 'jsonb' },
  },
});

/** The table `api_key_usage`. No key makes 2^53 requests in a day. */
export const KeyDaySchema = new EntitySchema<KeyDay & { readonly keyId: KeyId }>({
  name: 'KeyDay',
  tableName: 'api_key_usage',
  columns: {
    keyId: { ...text('key_id'), primary: true },
    day: { type: 'date', primary: true },
    requests: { type: 'bigint', transformer: COUNT },
    refused: { type: 'bigint', transformer: COUNT },
  },
});

/** The table `api_key_activity`. */
export const KeyActivitySchema = new EntitySchema<
  Pick<KeyOverview, 'lastUsedAt' | 'bannedUntil'> & { readonly keyId: KeyId }
>({
  name: 'KeyActivity',
  tableName: 'api_key_activity',
  columns: {
    keyId: { ...text('key_id'), primary: true },
    lastUsedAt: optional(time('last_used_at')),
    bannedUntil: optional(time('banned_until')),
  },
});

/** Scopes of every version of the service: one that this process does not know is harmless, as nothing asks for it. */
export function toScopes(texts: readonly string[]): readonly Scope[] {
  return texts.flatMap((one) => Scope.parse(one) ?? []);
}
