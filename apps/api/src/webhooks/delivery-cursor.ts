import { DeliveryId, DeliveryStatus, WebhookId } from '@petstore/webhook';
import { CHECK_LENGTH, fromBase36, isIntact, toBase36, withCheck } from '../lists/cursor-text.js';

/*
 * The place of a page in a list of deliveries as text: `<check>d_<state><id>-<webhook>`. The state is one digit, 0 in a
 * list of all.
 */
const FORM = /^[0-9a-z]{7}d_[0-4][1-9a-z][0-9a-z]{0,12}-[1-9a-z][0-9a-z]{0,12}$/;
const PREFIX = 'd_';

/** A position in a list of deliveries, bound to the webhook and the filter of that list. */
export interface DeliveryListPosition {
  readonly webhookId: WebhookId;
  readonly status: DeliveryStatus | undefined;
  readonly before: DeliveryId;
}

export const DeliveryCursor = {
  encode({ webhookId, status, before }: DeliveryListPosition): string {
    const state = status === undefined ? 0 : DeliveryStatus.ALL.indexOf(status) + 1;
    return withCheck(`${PREFIX}${state}${toBase36(before)}-${toBase36(webhookId)}`);
  },
  /** The position, or `undefined` when `encode` never made such a text. */
  decode(text: string): DeliveryListPosition | undefined {
    if (!FORM.test(text) || !isIntact(text)) return undefined;
    const [list = '', webhook = ''] = text.slice(CHECK_LENGTH + PREFIX.length).split('-');
    const before = DeliveryId.parse(fromBase36(list.slice(1)));
    const webhookId = WebhookId.parse(fromBase36(webhook));
    if (before === undefined || webhookId === undefined) return undefined;
    return { webhookId, status: DeliveryStatus.ALL[Number(list.charAt(0)) - 1], before };
  },
} as const;
