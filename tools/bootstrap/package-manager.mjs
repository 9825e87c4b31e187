/** `pnpm@12.21.0+sha512.<128 hexadecimal digits>`, as package managers write it. */
const FORM = /^(pnpm)@(\d+\.\d+\.\d+)\+sha512\.([0-9a-f]{128})$/;

/**
 * Which package manager a package.json asks for, as npx takes it, and the checksum of its package as npm writes it.
 *
 * @param manifest text of a package.json
 */
export function packageManagerOf(manifest) {
  const { packageManager } = JSON.parse(manifest);
  const [, name, version, hash] = FORM.exec(packageManager ?? '') ?? [];
  if (name === undefined)
    throw new Error(`packageManager is "${packageManager}": a version and its sha512 are needed.`);
  return {
    spec: `${name}@${version}`,
    integrity: `sha512-${Buffer.from(hash, 'hex').toString('base64')}`,
  };
}
