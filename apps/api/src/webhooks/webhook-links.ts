import { Inject, Injectable } from '@nestjs/common';
import type { DeliveryPage, DeliveryPageRequest, WebhookId } from '@petstore/webhook';
import { pageLinks } from '../lists/page-links.js';
import { API_BASE_URL } from '../operations/api-base-url.js';
import { DeliveryCursor } from './delivery-cursor.js';
import { WEBHOOKS_PATH } from './webhooks.resource.js';

/** Where webhooks and lists of their deliveries are found, as clients would write it. */
@Injectable()
export class WebhookLinks {
  private readonly webhooks: string;

  /** @param base `/v1`, or an absolute URL that ends in it */
  constructor(@Inject(API_BASE_URL) base: string) {
    this.webhooks = base + WEBHOOKS_PATH;
  }

  /** Of one webhook; for the Location header field. */
  webhook(id: WebhookId): string {
    return `${this.webhooks}/${id}`;
  }

  /** Link header field of a page of deliveries; `undefined` when it needs none. */
  deliveries(
    { id, limit, status, before }: DeliveryPageRequest,
    { last, more }: DeliveryPage,
  ): string | undefined {
    return pageLinks({
      path: `${this.webhook(id)}/deliveries`,
      limit,
      filters: { status },
      next:
        more && last !== undefined
          ? DeliveryCursor.encode({ webhookId: id, status, before: last })
          : undefined,
      isFirst: before === undefined,
    });
  }
}
