import { isIP, type LookupFunction } from 'node:net';
import type { WebhookTargets } from '../address/webhook-targets.js';
import { type ResolveAddresses, ResolutionError } from './address-resolver.js';

/** A name or an address leads where nothing may be sent. The message does not say where. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';

  constructor() {
    super('The endpoint has an address that may not be called.');
  }
}

/** Addresses of one name that are tried. */
const MOST_ADDRESSES = 8;

/** The end of a look-up, as `node:net` passes it. */
type LookupEnd = Parameters<LookupFunction>[2];

/** What keeps a connection to a literal address from being opened; names are judged when they are resolved. */
export function refusalOfLiteral(
  targets: WebhookTargets,
  protocol: string,
  host: string,
): RefusedAddressError | undefined {
  return isIP(host) !== 0 && !targets.permits(protocol, host) ? new RefusedAddressError() : undefined;
}

/**
 * The look-up of a socket that is being connected. `node:net` dials what it returns and looks nothing up again, so
 * that a name cannot lead elsewhere between check and use. One address that may not be called refuses the name, also
 * beside others that may: which of them is dialled would be a matter of chance.
 */
export function guardedLookup(
  targets: WebhookTargets,
  protocol: string,
  resolve: ResolveAddresses,
): LookupFunction {
  const judged = async (name: string): Promise<readonly string[]> => {
    const addresses = await resolve(name);
    if (addresses.length === 0) throw new ResolutionError('The name has no address.');
    if (!addresses.every((address) => targets.permits(protocol, address))) throw new RefusedAddressError();
    return addresses.slice(0, MOST_ADDRESSES);
  };
  return (name, options, end) => {
    judged(name).then(
      (addresses) => {
        pass(addresses, options.all === true, end);
      },
      (error: unknown) => {
        const known = error instanceof RefusedAddressError || error instanceof ResolutionError;
        end(known ? error : new ResolutionError('The name could not be resolved.', { cause: error }), '');
      },
    );
  };
}

function pass(addresses: readonly string[], all: boolean, end: LookupEnd): void {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const [{ address, family } = { address: '', family: 0 }] = found;
  if (all) end(null, found);
  else end(null, address, family);
}
