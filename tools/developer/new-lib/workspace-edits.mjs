import { BootstrapError } from '../../bootstrap/process.mjs';

/** @param text of the root's `tsconfig.build.json` */
export const withBuild = (text, name) => withReference(text, `libs/${name}`);

/** @param text of the root's `tsconfig.json` */
export const withCheck = (text, name) => withReference(text, `libs/${name}/tsconfig.spec.json`);

function withReference(text, path) {
  const config = JSON.parse(text);
  config.references.push({ path });
  config.references.sort((a, b) => (a.path < b.path ? -1 : 1));
  return JSON.stringify(config, undefined, 2);
}

/** @param text of `eslint.config.mjs` */
export function withArrow(text, name) {
  return inserted(
    text,
    "  {\n    from: 'api',",
    `  // Imports nothing of ours so far.\n  { from: '${name}', to: [] },\n`,
  );
}

/** @param text of `pnpm-lock.yaml`, whose importers are sorted */
export function withImporter(text, name) {
  const importers = [...text.matchAll(/^ {2}((?:libs|tools)\/[a-z-]+):(?: \{\})?$/gm)];
  const next = importers.find(([, path]) => path > `libs/${name}`);
  return inserted(text, next?.[0] ?? '', `  libs/${name}: {}\n\n`);
}

function inserted(text, before, addition) {
  const at = before === '' ? -1 : text.indexOf(before);
  if (at === -1) throw new BootstrapError(`There is no place for: ${addition.trim()}`);
  return text.slice(0, at) + addition + text.slice(at);
}
