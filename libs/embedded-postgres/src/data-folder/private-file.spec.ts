import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import {
  currentUser,
  formatMode,
  isForeignOwner,
  isOpenToOthers,
  NOBODY,
  openPrivateFile,
  quoteForShell,
} from './private-file.js';

it.each([
  [0o100600, false, '0600'],
  [0o040700, false, '0700'],
  [0o100640, true, '0640'],
  [0o100604, true, '0604'],
  [0o041777, true, '1777'],
])('says of the mode %o whether others may use it', (mode, open, text) => {
  expect(isOpenToOthers(mode)).toBe(open);
  expect(formatMode(mode)).toBe(text);
});

it('takes what is ours, and "nobody" only for root, for ours', () => {
  const user = currentUser() ?? -1;
  expect(isForeignOwner(user)).toBe(false);
  expect(isForeignOwner(12_345)).toBe(true);
  expect(isForeignOwner(NOBODY)).toBe(user !== 0 && user !== NOBODY);
});

it.each([
  ['/var/lib/petstore', '/var/lib/petstore'],
  ['/my data', "'/my data'"],
  ["/it's", String.raw`'/it'\''s'`],
])('quotes %s for a shell', (path, quoted) => {
  expect(quoteForShell(path)).toBe(quoted);
});

it('opens a file, and no link to one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'private-file-'));
  try {
    await writeFile(join(folder, 'file'), 'text');
    await symlink(join(folder, 'file'), join(folder, 'link'));
    const file = await openPrivateFile(join(folder, 'file'));
    expect(await file.readFile('utf8')).toBe('text');
    await file.close();
    await expect(openPrivateFile(join(folder, 'link'))).rejects.toMatchObject({ code: 'ELOOP' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
