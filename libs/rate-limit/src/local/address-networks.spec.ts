import { describe, expect, it } from '@jest/globals';
import { sharedSubjectId, widerNetworks } from './address-networks.js';

describe('the networks around an address', () => {
  it.each([
    ['address:192.0.2.7', ['address:192.0.2.0/24', 'address:192.0.0.0/16']],
    ['address:192.0.2.7:docs', ['address:192.0.2.0/24:docs', 'address:192.0.0.0/16:docs']],
    ['address:2001:db8:1:2::/64', ['address:2001:db8:1::/48', 'address:2001:db8::/32']],
    ['address:2001:db8:1:2::/64:docs', ['address:2001:db8:1::/48:docs', 'address:2001:db8::/32:docs']],
    ['address:192.0.2.0/24:docs', ['address:192.0.0.0/16:docs']],
    ['address:2001:db8:1::/48', ['address:2001:db8::/32']],
    ['address:192.0.0.0/16', []],
    ['address:unknown', []],
    ['key:key_1', []],
  ])('of %s', (id, networks) => {
    expect(widerNetworks(id).map((network) => network.id)).toEqual(networks);
  });

  it('leave what is shared with others apart by purpose', () => {
    expect(sharedSubjectId('address:192.0.2.7', 64)).toMatch(/^address:others:\d+$/);
    expect(sharedSubjectId('address:192.0.2.7:docs', 64)).toMatch(/^address:others:\d+:docs$/);
  });
});
