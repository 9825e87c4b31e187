import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Asks V8 itself, after a class was derived from String and after the service's remedy. */
const PROGRAM = `
import { makeStringMethodsFast } from '${new URL('../dist/fast-paths/fast-strings.js', import.meta.url).href}';
class Derived extends String {}
makeStringMethodsFast();
process.stdout.write(String(%HasFastProperties(String.prototype)));
`;

it('methods of strings are fast although a class has been derived from String', async () => {
  const options = ['--allow-natives-syntax', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  expect(stdout).toBe('true');
});
