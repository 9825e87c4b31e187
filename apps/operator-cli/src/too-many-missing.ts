/** Most animals that may go without being more than a fifth: a small shelter's good week. */
const FEW = 10;

/**
 * Whether a file takes so many animals from a source or a portal that it is rather cut than right: more than half, or more
 * than ten and more than a fifth.
 *
 * @param taken of so many animals
 */
export function takesTooMany(taken: number, of: number): boolean {
  return taken * 2 > of || (taken > FEW && taken * 5 > of);
}
