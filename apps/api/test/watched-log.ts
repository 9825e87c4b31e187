import { type KeyHash, SecretHasher } from '@petstore/api-key';
import { createLog } from '../src/logging/log.js';

/** Keeps every line that the services of one test file log, and knows what may stand in none of them. */
export class WatchedLog {
  readonly lines: string[] = [];
  /** Of the most talkative level. */
  readonly log = createLog('trace', { write: (line: string) => void this.lines.push(line) });
  private readonly secrets = new Set<string>();

  /** @param secret as it must never be logged */
  guard(secret: string): void {
    this.secrets.add(secret);
  }

  /** Rejects by throwing when a secret stands in a line. */
  check(): void {
    const all = this.lines.join('');
    for (const secret of this.secrets) {
      if (!all.includes(secret)) continue;
      const line = this.lines.find((each) => each.includes(secret)) ?? '';
      throw new Error(
        `A secret of ${secret.length} characters is in the log: ${line.replaceAll(secret, '***')}`,
      );
    }
  }
}

/** Tells a log of every key that is made: each is hashed before it is kept. */
export class WatchedHasher extends SecretHasher {
  constructor(
    pepper: string,
    private readonly log: WatchedLog,
  ) {
    super(pepper);
    log.guard(pepper);
  }

  override hash(key: string): KeyHash {
    this.log.guard(key);
    return super.hash(key);
  }
}
