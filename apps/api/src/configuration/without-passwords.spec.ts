import { describe, expect, it } from '@jest/globals';
import { withoutPasswords } from './without-passwords.js';

describe('withoutPasswords', () => {
  it.each([
    ['mysql://u:hunter2@h:1/db?a=b', 'mysql://u:***@h:1/db?a=b'],
    ['postgres://h/db', 'postgres://h/db'],
    ['postgres://[::1]:5432/db', 'postgres://[::1]:5432/db'],
    ['redis://b:q,r@h:2', 'redis://b:***@h:2'],
    ['redis://a:p@h:x,rediss://b:q@h:2', 'redis://a:***@h:***,rediss://b:***@h:2'],
    ['redis://a,b', 'redis://a,b'],
    ['postgres://user:hunter2', 'postgres://user:***'],
    ['postgres://u@h/db?password=hunter2&x=1', 'postgres://u@h/db?password=***&x=1'],
    ['host=h password=hunter2', '***'],
    ['u:hunter2@h/db', '***'],
  ])('of %s shows %s', (text, shown) => {
    expect(withoutPasswords(text)).toBe(shown);
  });

  it('shows no part of a password, whatever is in it', () => {
    const marks = Array.from('@/:?#%&,[]\\\'" .=;');
    const ends = ['h:1/db', 'h:x', '', '/db', 'h/db?a=b@c'];
    for (const first of marks) {
      for (const second of marks) {
        for (const end of ends) {
          const shown = withoutPasswords(`postgres://user:QQQ${first}XXX${second}ZZZ@${end}`);
          expect({ first, second, end, shown }).toMatchObject({
            shown: expect.not.stringMatching(/QQQ|XXX|ZZZ/),
          });
        }
      }
    }
  });
});
