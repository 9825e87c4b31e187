/** A block of code whose first line names its file. */
const BLOCK = /^```(?:ts|js)\n\/\/ ([\w./-]+\.[jt]s)\n([\s\S]*?)^```$/gm;

/**
 * The files that a README shows: every block of code whose first line is a comment with a file name, `// main.ts`.
 *
 * @returns texts by file name
 * @throws Error when two blocks have one name
 */
export function snippetsIn(markdown: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [, name = '', text = ''] of markdown.matchAll(BLOCK)) {
    if (name in files) throw new Error(`Two blocks of code are called ${name}.`);
    files[name] = text;
  }
  return files;
}
