/** A piece of a page that can be run. */
export interface Snippet {
  readonly page: string;
  /** Line of the page, from 1, at which its fence stands. */
  readonly line: number;
  readonly language: Language;
  readonly code: string;
  /** What the page says it prints; `…` stands for anything on one line. */
  readonly prints: string | undefined;
}

export type Language = (typeof LANGUAGES)[number];

export const LANGUAGES = ['sh', 'ts', 'python'] as const;

/** The first line of what the guide's programs in Python import. */
const SHARED = '# petstore.py\n';

const FENCE = /^```(\w+)\n([^]*?)^```$/gm;

/** All snippets of a Markdown page, in its order. A block `text` right after one is what that prints. */
export function snippetsOf(page: string, markdown: string): Snippet[] {
  const blocks = [...markdown.matchAll(FENCE)].map(({ 0: whole, 1: language = '', 2: code = '', index }) => ({
    language,
    code,
    start: index,
    end: index + whole.length,
  }));
  return blocks.flatMap(({ language, code, start, end }, n) => {
    // apps/api/test/embed opens pages in a browser; what programs import is run with them.
    if (['text', 'html', 'css'].includes(language) || code.startsWith(SHARED)) return [];
    if (!isLanguage(language)) throw new Error(`${page} has a block that cannot be run: ${language}`);
    const next = blocks[n + 1];
    const follows = next?.language === 'text' && markdown.slice(end, next.start).trim() === '';
    const line = markdown.slice(0, start).split('\n').length;
    return [{ page, line, language, code, prints: follows ? next.code : undefined }];
  });
}

/** What the guide's programs in Python import, of the page that has it. */
export function sharedCodeOf(markdown: string): string {
  const shared = [...markdown.matchAll(FENCE)].find(([, , code = '']) => code.startsWith(SHARED));
  if (shared?.[2] === undefined) throw new Error('The page has no petstore.py.');
  return shared[2];
}

/** Whether this is what the page says, line by line. */
export function printsAsSaid(said: string, printed: string): boolean {
  const pattern = said
    .trimEnd()
    .split('…')
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*?');
  return new RegExp(`^${pattern}$`).test(printed.replaceAll('\r', '').trimEnd());
}

function isLanguage(name: string): name is Language {
  return (LANGUAGES as readonly string[]).includes(name);
}
