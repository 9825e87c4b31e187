/**
 * The package that a module asks for: of `@petstore/x/nest` it is `@petstore/x`.
 *
 * @param {string} specifier
 */
export function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
