import { Inject, Injectable } from '@nestjs/common';
import type { FreeText, Transaction, UnitOfWork } from '@petstore/pet-domain';
import {
  type DisabledReason,
  MAX_WEBHOOKS_PER_KEY,
  type NewWebhook,
  type StoredWebhook,
  type Webhook,
  type WebhookId,
  WebhookLimitReachedError,
  type WebhookRequest,
  type WebhookStatus,
  type WebhookStore,
  type WebhookUrl,
  WebhookUrlTakenError,
} from '@petstore/webhook';
import { DatabaseError } from 'pg';
import { plainArrayLiteral } from '../columns/array-literals.js';
import { JsonRowReader, JsonRowsReader } from '../columns/json-rows.reader.js';
import { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { bound, PostgresTransaction } from '../unit-of-work/postgres-transaction.js';
import { PostgresUnitOfWork } from '../unit-of-work/postgres-unit-of-work.js';
import { isTrue, type TextRow } from '../unit-of-work/statement-batch.js';
import {
  ADD,
  ADD_SECRET,
  CHANGE,
  END_OLDER_SECRETS,
  FAIL_PENDING,
  FIND,
  LIMIT_CURRENT_SECRET,
  LIST,
  LOCK,
  REMOVE,
  REMOVE_PENDING,
  REMOVE_SECRETS,
  TAKE_TURN,
} from './webhook-statements.js';

const URL_TAKEN = 'Another webhook of this key has this URL.';

/** Endpoints in PostgreSQL. Reads go through pipelines, changes are transactions that lock the endpoint first. */
@Injectable()
export class PostgresWebhookStore implements WebhookStore {
  private readonly sharedReads = new SingleFlight();

  constructor(
    @Inject(Pipelines) private readonly pipelines: Pipelines,
    @Inject(PostgresUnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(keyId: string): Promise<Uint8Array> {
    const { json } = await this.sharedReads.share(`list ${keyId}`, (leaving) =>
      this.pipelines.reads.ask(
        LIST,
        [keyId, String(MAX_WEBHOOKS_PER_KEY)],
        new JsonRowsReader(MAX_WEBHOOKS_PER_KEY),
        leaving,
      ),
    );
    return json;
  }

  find({ id, keyId }: WebhookRequest): Promise<Uint8Array | undefined> {
    return this.sharedReads.share(`find ${id} ${keyId}`, (leaving) =>
      this.pipelines.reads.ask(FIND, [id, keyId], new JsonRowReader(), leaving),
    );
  }

  add({ url, types, description }: NewWebhook, keyId: string, secret: Buffer): Promise<StoredWebhook> {
    return this.unitOfWork.run(async (transaction) => {
      const session = PostgresTransaction.of(transaction);
      session.defer(bound(TAKE_TURN, keyId));
      const [[[isRoomLeft, isTaken, id, json] = []] = []] = await session.ask(
        bound(ADD, keyId, String(MAX_WEBHOOKS_PER_KEY), url, arrayOf(types), description ?? null),
      );
      if (typeof id !== 'string' || typeof json !== 'string') {
        if (isTrue(isTaken) || isTrue(isRoomLeft)) throw new WebhookUrlTakenError(URL_TAKEN);
        throw new WebhookLimitReachedError(
          `A key may have ${MAX_WEBHOOKS_PER_KEY} webhooks. Remove one of them first.`,
        );
      }
      session.defer(bound(ADD_SECRET, id, secret));
      return { id: id as WebhookId, json };
    }, turnOf(keyId));
  }

  change(
    request: WebhookRequest,
    change: (current: Webhook, json: string) => Webhook,
  ): Promise<string | undefined> {
    return this.onEndpoint(request, async (session, before, json) => {
      const after = change(before, json);
      if (after === before) return json;
      const { url, types, description, status, disabledReason, failingSince } = after;
      const values = [url, arrayOf(types), description, status, disabledReason, failingSince];
      const statement = bound(CHANGE, request.id, ...values.map((value) => value ?? null));
      if (url !== before.url) session.defer(bound(TAKE_TURN, request.keyId));
      const [[[changed] = []] = []] = await withUrlError(session.ask(statement));
      if (typeof changed !== 'string') throw new Error('An endpoint that was locked is gone.');
      if (status === 'disabled' && before.status !== status) session.defer(bound(FAIL_PENDING, request.id));
      return changed;
    });
  }

  async remove(request: WebhookRequest, check: (json: string) => void): Promise<boolean> {
    const removed = await this.onEndpoint(request, (session, _current, json) => {
      check(json);
      for (const statement of [REMOVE, REMOVE_SECRETS, REMOVE_PENDING])
        session.defer(bound(statement, request.id));
      return Promise.resolve(true);
    });
    return removed ?? false;
  }

  rotateSecret(request: WebhookRequest, secret: Buffer, overlapHours: number): Promise<string | undefined> {
    return this.onEndpoint(request, (session, _current, json) => {
      const { id } = request;
      session.defer(
        bound(END_OLDER_SECRETS, id, String(overlapHours)),
        bound(LIMIT_CURRENT_SECRET, id, String(overlapHours)),
        bound(ADD_SECRET, id, secret),
      );
      return Promise.resolve(json);
    });
  }

  /** Locks an endpoint and does something with it; `undefined` when there is none within reach. */
  private onEndpoint<T>(
    { id, keyId }: WebhookRequest,
    work: (session: PostgresTransaction, current: Webhook, json: string) => Promise<T>,
  ): Promise<T | undefined> {
    return this.unitOfWork.run(async (transaction: Transaction) => {
      const session = PostgresTransaction.of(transaction);
      const [[row] = []] = await session.ask(bound(LOCK, id, keyId));
      return row === undefined ? undefined : work(session, webhookOf(row), row[6] ?? '');
    }, turnOf(keyId));
  }
}

/** Of all that change endpoints of one key: a new URL is looked for among the others. */
function turnOf(keyId: string): string {
  return `webhooks of ${keyId}`;
}

/** Of the columns of {@link LOCK}. */
function webhookOf(row: TextRow): Webhook {
  const [url, types, description, status, disabledReason, failingSince] = row;
  return {
    url: url as WebhookUrl,
    types: types?.split(','),
    description: (description ?? undefined) as FreeText | undefined,
    status: status as WebhookStatus,
    disabledReason: (disabledReason ?? undefined) as DisabledReason | undefined,
    failingSince: failingSince ?? undefined,
  };
}

/** Types are words. */
function arrayOf(types: readonly string[] | undefined): string | null {
  return types === undefined ? null : plainArrayLiteral(types, (type) => type);
}

async function withUrlError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.constraint !== 'webhooks_key_url') throw error;
    throw new WebhookUrlTakenError(URL_TAKEN, { cause: error });
  }
}
