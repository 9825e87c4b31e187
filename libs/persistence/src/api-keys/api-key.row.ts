import { ApiKey, KeyId, KeyPlan, type KeySecret, Scope } from '@petstore/api-key';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One key in the table `api_keys`, without its secrets. */
@Entity('api_keys')
export class ApiKeyRow {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  plan!: string;

  /** Of an enterprise key only: the other plans' numbers are the same for every key. */
  @Column('integer', { name: 'per_minute', nullable: true })
  perMinute!: number | null;

  @Column('integer', { name: 'per_day', nullable: true })
  perDay!: number | null;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}

/** The key of a row, with its secrets, oldest first. A row that is no key was not written by this service. */
export function toApiKey(row: ApiKeyRow, secrets: readonly KeySecret[]): ApiKey {
  const id = KeyId.parse(row.id);
  if (id === undefined) throw new Error(`Row ${row.id} of the table api_keys is no key.`);
  const settings = {
    name: row.name,
    plan: toPlan(row),
    scopes: toScopes(row.scopes),
    expiresAt: row.expiresAt ?? undefined,
  };
  return new ApiKey(id, settings, secrets, row.createdAt, row.revokedAt ?? undefined);
}

export function toRow({ id, settings, createdAt, revokedAt }: ApiKey): ApiKeyRow {
  const { name, plan, scopes, expiresAt } = settings;
  const own = plan.name === 'enterprise' ? plan.limits : undefined;
  return {
    id,
    name,
    plan: plan.name,
    perMinute: own?.perMinute ?? null,
    perDay: own?.perDay ?? null,
    scopes: [...scopes],
    createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
  };
}

type PlanColumns = Pick<ApiKeyRow, 'plan' | 'perMinute' | 'perDay'>;

export function toPlan({ plan, perMinute, perDay }: PlanColumns): KeyPlan {
  const parsed = KeyPlan.parse(plan, perMinute ?? undefined, perDay ?? undefined);
  if (parsed === undefined) throw new Error(`The table api_keys holds an unknown plan, ${plan}.`);
  return parsed;
}

/** Scopes of every version of the service: one that this process does not know is harmless, as nothing asks for it. */
export function toScopes(texts: readonly string[]): readonly Scope[] {
  return texts.flatMap((text) => Scope.parse(text) ?? []);
}
