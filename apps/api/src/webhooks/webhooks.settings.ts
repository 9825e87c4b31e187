import {
  defineSettings,
  isUnambiguous,
  list,
  network,
  onOff,
  settings,
  type SettingsOf,
  url,
} from '../settings/settings.js';

/** Where webhooks may go. */
export const WEBHOOK_SETTINGS = defineSettings('webhooks', {
  webhookAllowedNetworks: list(network).optional().register(settings, {
    variable: 'WEBHOOK_ALLOWED_NETWORKS',
    meaning:
      'Networks that webhooks may be sent to although the public cannot reach them; none by default, so that no client reaches your own network through the service.',
    allowed: 'addresses or CIDR networks separated by commas, such as 10.20.0.0/16,fd00::/8',
  }),
  webhookHttp: onOff.prefault('off').register(settings, {
    variable: 'WEBHOOK_HTTP',
    meaning: 'Whether webhooks may also be sent without TLS, only to WEBHOOK_ALLOWED_NETWORKS.',
  }),
  webhookProxy: url('http:').refine(isUnambiguous).optional().register(settings, {
    variable: 'WEBHOOK_PROXY',
    meaning:
      'Egress proxy that all webhooks go through (CONNECT); it resolves the names and must judge the addresses itself. Direct connections without it.',
    allowed: 'an http URL, such as http://user:password@smokescreen:4750',
    credentials: true,
  }),
});

export type WebhookSettings = SettingsOf<typeof WEBHOOK_SETTINGS>;
