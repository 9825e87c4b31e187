import { describe, expect, it } from '@jest/globals';
import { findPlatformPackage } from './platform-package.js';

describe('findPlatformPackage', () => {
  it('finds the binaries of this system', async () => {
    const { postgres, initdb } = await findPlatformPackage();
    expect([postgres, initdb]).toEqual([
      expect.stringMatching(/postgres$/),
      expect.stringMatching(/initdb$/),
    ]);
  });

  it.each([
    [{ platform: 'win32', arch: 'x64' }, 'win32-x64'],
    [{ platform: 'linux', arch: 'riscv64', libc: 'glibc' as const }, 'linux-riscv64'],
    // The package for glibc is installed there, too.
    [{ platform: process.platform, arch: process.arch, libc: 'musl' as const }, 'with musl'],
  ])('says of %j what to set instead', async (system, name) => {
    await expect(findPlatformPackage(system)).rejects.toMatchObject({
      reason: 'unsupported_platform',
      message: expect.stringMatching(new RegExp(`${name}\\..*DATABASE_URL.*API_KEY_PEPPER`)),
    });
  });
});
