import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Terminal } from './terminal.js';

/** Asks a person; only `yes` is a yes, and the end of the input is none. */
export async function confirm(
  { input, err }: Pick<Terminal, 'input' | 'err'>,
  question: string,
): Promise<boolean> {
  err(`${question} Type yes to go on: `);
  const lines = createInterface({ input });
  try {
    const line = await Promise.race([
      once(lines, 'line').then(([text]) => String(text)),
      once(lines, 'close').then(() => ''),
    ]);
    return line.trim() === 'yes';
  } finally {
    lines.close();
  }
}
