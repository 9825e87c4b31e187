import type { Readable } from 'node:stream';
import type { Environment } from '@petstore/api';

/** Everything a command sees of the world around it. */
export interface Terminal {
  readonly environment: Environment;
  /** What was asked for: results, and the only place where a secret is ever written. */
  readonly out: (text: string) => void;
  /** Everything else: notes, warnings, errors. */
  readonly err: (text: string) => void;
  readonly input: Readable;
  /** Whether a person is at the input, who can be asked. */
  readonly interactive: boolean;
  /** Whether results go to a person who sees colours. */
  readonly colour: boolean;
  /** Whether notes go to a terminal, where a line can be written again. */
  readonly progress: boolean;
  /** The operating-system user, for the audit. */
  readonly user: string;
}
