import { KeyId } from '../key/key-id.js';

/** What the other processes should know at once. */
export interface KeyNews {
  /** `changed`: look the key up again. `unbanned`: an operator lifted its ban. */
  readonly kind: 'changed' | 'unbanned';
  readonly keyId: KeyId;
}

/** News as they travel between processes: `changed key_...`. */
export const KeyNews = {
  encode({ kind, keyId }: KeyNews): string {
    return `${kind} ${keyId}`;
  },
  /** The news that `text` tells, or `undefined` when it is none: others may write to a channel, too. */
  decode(text: string): KeyNews | undefined {
    const [kind, id = '', ...rest] = text.split(' ');
    const keyId = KeyId.parse(id);
    if ((kind !== 'changed' && kind !== 'unbanned') || keyId === undefined || rest.length > 0)
      return undefined;
    return { kind, keyId };
  },
} as const;
