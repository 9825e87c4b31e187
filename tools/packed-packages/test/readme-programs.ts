import { readText } from './packed-app.js';

/** A block of code whose first line names its file, and a block of text after it, which is what it prints. */
const PROGRAM =
  /^```[tj]s\n\/\/ ([\w-]+\.[tj]s)\n([^]*?)^```$(?:\n\n(?:It prints:\n\n)?```text\n([^]*?)^```$)?/gm;

/** A program that a README shows. */
export interface ReadmeProgram {
  /** `portal-formats-main.js` */
  readonly file: string;
  readonly code: string;
  /** What the README says it prints. */
  readonly prints: string;
}

/** The programs of the README of a lib: at least one. */
export async function readmePrograms(lib: string): Promise<ReadmeProgram[]> {
  const readme = await readText('libs', lib, 'README.md');
  const programs = [...readme.matchAll(PROGRAM)].map(([, name = '', code = '', prints = '']) => ({
    ...{ file: `${lib}-${name}`, code, prints },
  }));
  if (programs.length === 0) throw new Error(`The README of ${lib} has no program.`);
  return programs;
}

/** The program for CommonJS, which cannot wait outside of a function. */
export function asCommonJs(code: string): string {
  const [imports = ''] = /^(?:\/\/.*\n|import [^;]*;\n)*/.exec(code) ?? [];
  return `${imports}void (async () => {${code.slice(imports.length)}})();\n`;
}
