import { describe, expect, it } from '@jest/globals';
import { addressSubject } from './address-subject.js';

describe('addressSubject', () => {
  it.each([
    ['203.0.113.7', 'address:203.0.113.7'],
    ['::ffff:203.0.113.7', 'address:203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', 'address:2001:db8:1:2::/64'],
    ['::1', 'address:0:0:0:0::/64'],
    ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
    [undefined, 'address:unknown'],
    ['nonsense', 'address:unknown'],
  ])('charges %s as %s', (address, id) => {
    expect(addressSubject(address).id).toBe(id);
  });

  it('has 300 requests a minute and 10,000 a day unless said, and is never banned', () => {
    expect(addressSubject('203.0.113.7')).toMatchObject({
      limits: { perMinute: 300, perDay: 10_000 },
      bannable: false,
    });
    const limits = { perMinute: 1, perDay: 2 };
    expect(addressSubject('203.0.113.7', limits).limits).toBe(limits);
  });
});
