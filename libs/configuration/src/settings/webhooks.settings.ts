import { defineSettings, optionalSetting, settingWithDefault } from '../setting.js';
import { isUnambiguous, list, network, onOff, url } from '../value-types.js';

/** Where webhooks may go. */
export const WEBHOOK_SETTINGS = defineSettings({
  webhookAllowedNetworks: optionalSetting({
    variable: 'WEBHOOK_ALLOWED_NETWORKS',
    meaning:
      'Networks that webhooks may be sent to although the public cannot reach them; none by default, so that nobody reaches your own network through the service.',
    allowed: 'addresses or CIDR networks separated by commas, such as 10.20.0.0/16,fd00::/8',
    schema: list(network),
  }),
  webhookHttp: settingWithDefault({
    variable: 'WEBHOOK_HTTP',
    meaning: 'Whether webhooks may also be sent without TLS, only to WEBHOOK_ALLOWED_NETWORKS.',
    allowed: 'on or off',
    fallback: 'off',
    schema: onOff,
  }),
  webhookProxy: optionalSetting({
    variable: 'WEBHOOK_PROXY',
    meaning:
      'Egress proxy that all webhooks go through (CONNECT); it resolves the names and must judge the addresses itself. Direct connections without it.',
    allowed: 'an http URL, such as http://user:password@smokescreen:4750',
    credentials: true,
    schema: url('http:').refine(isUnambiguous),
  }),
});
