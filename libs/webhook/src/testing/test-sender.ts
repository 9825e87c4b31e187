import { setImmediate } from 'node:timers/promises';
import type { AttemptOutcome } from '../sending/attempt-outcome.js';
import { AddressPolicy } from '../address/address-policy.js';
import { type SenderOptions, WebhookSender } from '../sending/webhook-sender.js';
import type { Receiver } from '@petstore/test-servers';

/** The loopback interface, also by `http`. */
export const LOOPBACK = new AddressPolicy({ allowedNetworks: ['127.0.0.0/8'], http: true });

const opened: { close(): unknown }[] = [];

/** A sender that reaches receivers under any name; without time limits that a test meets unless it names them. */
export function openSender(options: Partial<SenderOptions> = {}): WebhookSender {
  const sender = new WebhookSender({
    policy: LOOPBACK,
    connectTimeoutMs: 60_000,
    totalTimeoutMs: 60_000,
    resolve: () => Promise.resolve(['127.0.0.1']),
    ...options,
  });
  opened.push({ close: () => sender.destroy() });
  return sender;
}

export async function openReceiver(made: Promise<Receiver>): Promise<Receiver> {
  const receiver = await made;
  opened.push(receiver);
  return receiver;
}

/** Closes all that were opened since the last time. */
export async function closeOpened(): Promise<void> {
  for (const each of opened.splice(0).reverse()) await each.close();
}

/** Sends one message to a URL, until its connection can be used again. */
export async function send(url: string, by = openSender()): Promise<AttemptOutcome> {
  const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };
  const outcome = await by.send({ url, headers, body: '{"id":1}' });
  await setImmediate();
  return outcome;
}
