import ts from 'typescript';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Circles among the files and folders below a folder.
 *
 * In every folder, its entries (files and subfolders) must have an order in which each imports only earlier ones. An
 * import from one file to another counts for the two entries of the lowest folder that holds both. So a circle of files
 * is found, and a circle of folders whose files alone have none.
 *
 * Imports of types count like all others: a reader who wants to understand one file has to read the other one, and
 * for a decorated parameter one deleted word makes an import at run time of it. Tests (`*.spec.ts`) do not count:
 * nobody imports them. Neither do the imports of files that put the parts of a lib together (`togetherIn`): they know
 * every part, and whoever reads a part need not read them.
 *
 * @param {string} folder absolute path
 * @param {readonly string[]} togetherIn paths of such files in the folder
 * @returns one line a circle: `src/a: b/ -> c.ts -> b/ (b/x.ts imports c.ts, c.ts imports b/y.ts)`
 */
export function circlesIn(folder, togetherIn = []) {
  const levels = new Map();
  for (const file of sourcesIn(folder)) {
    if (togetherIn.includes(relative(folder, file))) continue;
    for (const target of localImports(file)) {
      if (target === file || relative(folder, target).startsWith('..')) continue;
      const edge = edgeBetween(relative(folder, file), relative(folder, target));
      const level = getOrAdd(levels, edge.level, () => new Map());
      const targets = getOrAdd(level, edge.from, () => new Map());
      if (!targets.has(edge.to)) targets.set(edge.to, edge.example);
    }
  }
  return [...levels]
    .sort()
    .flatMap(([level, graph]) => circlesOf(graph).map((circle) => text(level, graph, circle)));
}

/** Files of TypeScript and JavaScript, but tests and what programs have made. */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', '.cache'].includes(entry.name) ? [] : sourcesIn(path);
    return /\.(ts|mjs)$/.test(entry.name) && !/\.(spec|d)\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** Absolute paths of the files that a file imports by a relative path. */
function localImports(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .flatMap((name) => {
      const path = join(dirname(file), name);
      const source = path.replace(/\.js$/, '.ts');
      return [source, path].filter((candidate) => existsSync(candidate)).slice(0, 1);
    });
}

/** What an import means in the lowest folder that holds both files. */
function edgeBetween(from, to) {
  const [fromParts, toParts] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (fromParts[depth] === toParts[depth]) depth++;
  const entry = (parts) => `${parts[depth]}${parts.length > depth + 1 ? '/' : ''}`;
  const inside = (parts) => parts.slice(depth).join('/');
  return {
    level: fromParts.slice(0, depth).join('/'),
    from: entry(fromParts),
    to: entry(toParts),
    example: `${inside(fromParts)} imports ${inside(toParts)}`,
  };
}

/** The shortest circle through each group of entries that reach one another. */
function circlesOf(graph) {
  const circles = [];
  const done = new Set();
  for (const start of [...graph.keys()].sort()) {
    if (done.has(start)) continue;
    const circle = shortestCircle(graph, start);
    if (circle === undefined) continue;
    for (const entry of circle) done.add(entry);
    circles.push(circle);
  }
  return circles;
}

/** Breadth first from an entry back to itself. */
function shortestCircle(graph, start) {
  const cameFrom = new Map();
  const queue = [start];
  for (const entry of queue) {
    for (const next of graph.get(entry)?.keys() ?? []) {
      if (next === start) {
        const circle = [entry];
        while (circle[0] !== start) circle.unshift(cameFrom.get(circle[0]));
        return circle;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, entry);
      queue.push(next);
    }
  }
  return undefined;
}

function text(level, graph, circle) {
  const steps = circle.map((entry, i) => graph.get(entry).get(circle[(i + 1) % circle.length]));
  return `${level === '' ? '.' : level}: ${[...circle, circle[0]].join(' -> ')} (${steps.join(', ')})`;
}

function getOrAdd(map, key, create) {
  if (!map.has(key)) map.set(key, create());
  return map.get(key);
}
