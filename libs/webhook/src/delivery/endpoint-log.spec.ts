import { expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import type { WebhookId } from '../endpoint/webhook.js';
import type { EndpointChange } from './delivery-queue.js';
import { EndpointLog } from './endpoint-log.js';

it('writes ten lines a second at most, and then how many were left out', async () => {
  const lines: object[] = [];
  const note = (fields: object): unknown => lines.push(fields);
  const log = new EndpointLog({ info: note, warn: note });
  const changes = Array.from({ length: 30 }, (_, n): EndpointChange => {
    const change = (['failing', 'well', 'disabled'] as const)[n % 3];
    return { webhookId: String(n + 1) as WebhookId, change: change ?? 'well', reason: null };
  });
  log.write(changes, []);
  expect(lines).toHaveLength(10);
  await waitFor(() => {
    log.write(changes.slice(0, 1), []);
    return lines.length > 10;
  });
  const { leftOut } = lines[10] as { leftOut: number };
  expect(leftOut).toBeGreaterThanOrEqual(20);
});
