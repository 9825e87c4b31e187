import type { IncomingMessage } from 'node:http';
import { addressSubject } from '../address/address-subject.js';
import { clientAddress } from '../address/client-address.js';
import { TrustedProxies } from '../address/trusted-proxies.js';
import type { PlanLimits } from '../policy/plan.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';

/** Who is charged for a request; `undefined` for a request that is not limited. */
export type SubjectOf<Request extends IncomingMessage = IncomingMessage> = (
  request: Request,
) => RateLimitSubject | undefined;

/** How the addresses of clients are limited. */
export interface AddressLimitOptions {
  /** What one IPv4 address, or one /64 of IPv6, may send: 300 a minute and 10,000 a day unless said. */
  readonly limits?: PlanLimits | undefined;
  /** Proxies whose `X-Forwarded-For` counts; none unless said. */
  readonly trustedProxies?: TrustedProxies | undefined;
}

/** Charges each request to the address that it came from. */
export function byAddress({
  limits,
  trustedProxies = TrustedProxies.NONE,
}: AddressLimitOptions = {}): SubjectOf {
  return (request) => addressSubject(clientAddress(request, trustedProxies), limits);
}
