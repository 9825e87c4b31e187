/** A file or folder of the workspace, in code in a Markdown text: `apps/api/test/x.spec.ts`, `deploy/`. */
const NAMED = /`((?:apps|libs|tools|docs|deploy)\/[\w./*-]*)`/g;

/** Every path of the workspace that a Markdown text names as code, each once, in the order of the text. */
export function namedFiles(markdown: string): string[] {
  return [...new Set([...markdown.matchAll(NAMED)].map(([, path = '']) => path))];
}
