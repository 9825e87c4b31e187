import { KeyRuleError, ApiKeyFormat } from '@petstore/api-key';
import type { Terminal } from '../terminal/terminal.js';

/** Below this an operator is warned: a million guesses a second would find it. */
const EASY_TO_GUESS = 24;

/**
 * An operator's own key, one line of standard input: on the command line it would stand in the shell's
 * history and the list of processes.
 */
export async function readKeyFromStdin({ input, err }: Terminal): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > ApiKeyFormat.MAX_LENGTH + 2) break;
  }
  const key = Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
  if (key === '')
    throw new KeyRuleError('Standard input holds no key: printf %s "$KEY" | npm run key -- ...');
  if (key.length < EASY_TO_GUESS) {
    err(`warning: a key of ${key.length} characters may be guessed; ${EASY_TO_GUESS} or more are better.\n`);
  }
  return key;
}
