import { KeyId } from '../key/key-id.js';

/** A change that the other processes should know of at once. */
export interface ApiKeyEvent {
  /** `changed`: look the key up again. `unbanned`: an operator lifted its ban. */
  readonly kind: 'changed' | 'unbanned';
  readonly keyId: KeyId;
}

/** Events as they travel between processes: `changed key_...`. */
export const ApiKeyEvent = {
  encode({ kind, keyId }: ApiKeyEvent): string {
    return `${kind} ${keyId}`;
  },
  /** The event that `text` spells, or `undefined` when it spells none: others may write to a channel, too. */
  decode(text: string): ApiKeyEvent | undefined {
    const [kind, id = '', ...rest] = text.split(' ');
    const keyId = KeyId.parse(id);
    if ((kind !== 'changed' && kind !== 'unbanned') || keyId === undefined || rest.length > 0)
      return undefined;
    return { kind, keyId };
  },
} as const;
