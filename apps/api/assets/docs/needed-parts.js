/**
 * When an operation is opened, Swagger UI resolves its references, and takes the whole document apart for that: about
 * a second for one of ours. Here it is given the operation, and the components that the operation leads to.
 */

/** The parts of a document that hold what there are many of. */
const PARTS = ['paths', 'components'];

/** What an operation inherits from its path. */
const INHERITED = ['parameters', 'servers'];

/** The steps of a reference within the document; undefined for any other. */
function stepsOf(reference) {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** All references that stand anywhere within a value. */
function referencesIn(value) {
  const found = [];
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (typeof one.$ref === 'string') found.push(one.$ref);
    waiting.push(...Object.values(one));
  }
  return found;
}

/** Copies what stands at the end of the steps, and gives it back; what is not there is not copied. */
function copyAt(steps, from, to) {
  let [source, target] = [from, to];
  for (const [index, step] of steps.entries()) {
    if (typeof source !== 'object' || source === null || !Object.hasOwn(source, step)) return undefined;
    source = source[step];
    if (index === steps.length - 1) target[step] = source;
    else target = target[step] ??= Array.isArray(source) ? [] : {};
  }
  return source;
}

/** A document in which a value, and all that it refers to, stand where they stood, and little else does. */
export function neededParts(document, path) {
  const needed = { ...document };
  for (const many of PARTS) if (many in document) needed[many] = {};
  const [part, name] = path;
  const waiting = [path, ...INHERITED.map((member) => [part, name, member])];
  const seen = new Set();
  while (waiting.length > 0) {
    const steps = waiting.pop();
    for (const reference of referencesIn(copyAt(steps, document, needed))) {
      const next = stepsOf(reference);
      if (next === undefined || seen.has(reference)) continue;
      seen.add(reference);
      waiting.push(next);
    }
  }
  return needed;
}

/** References are resolved in what an operation needs of the document. */
export const resolvesNeededParts = () => ({
  afterLoad({ fn }) {
    const { resolveSubtree } = fn;
    fn.resolveSubtree = (document, path, options) =>
      resolveSubtree(neededParts(document, path), path, options);
  },
});
