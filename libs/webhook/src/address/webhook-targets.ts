import { AddressPolicy } from './address-policy.js';

/** What an operator has set. */
export interface WebhookTargetSettings {
  /** Addresses or networks in CIDR notation that may be called although they are not public; none when left out. */
  readonly allowedNetworks?: readonly string[] | undefined;
  /** Whether `http` may be used, to the allowed networks only. */
  readonly http?: boolean | undefined;
}

/** Where webhooks may go: schemes and addresses. */
export class WebhookTargets {
  /** Whether `http` may be used at all. */
  readonly http: boolean;
  private readonly addresses: AddressPolicy;

  /** @throws Error for an allowed network that is none */
  constructor({ allowedNetworks = [], http = false }: WebhookTargetSettings = {}) {
    this.http = http;
    this.addresses = new AddressPolicy(allowedNetworks);
  }

  /** @param protocol with its colon, as in `URL.protocol` */
  permitsProtocol(protocol: string): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.http);
  }

  /** Whether an address may be called under a protocol: `https` if public or allowed, `http` only if allowed. */
  permits(protocol: string, address: string): boolean {
    if (!this.permitsProtocol(protocol)) return false;
    const judgement = this.addresses.judge(address);
    return protocol === 'https:' ? judgement !== 'refused' : judgement === 'allowed';
  }
}
