import { type KeyKind, type KeyMode, KeySigner, type SignedKey } from '@petstore/api-key';
import { createLog } from '../../src/logging/log.js';

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

  /** Lines with this message, so far. */
  logged(message: string): Record<string, unknown>[] {
    return this.lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === message);
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

/** Tells a log of every key that is made. */
export class WatchedSigner extends KeySigner {
  constructor(
    pepper: string,
    private readonly log: WatchedLog,
  ) {
    super(pepper);
    log.guard(pepper);
  }

  override issue(mode: KeyMode, kind?: KeyKind): SignedKey {
    const key = super.issue(mode, kind);
    this.log.guard(key.text);
    return key;
  }
}
