import { KeyId } from '../key/key-id.js';

/** A change that other processes should learn at once. */
export interface ApiKeyEvent {
  /** `changed`: look the key up again. `unbanned`: an operator lifted its ban. */
  readonly kind: 'changed' | 'unbanned';
  readonly keyId: KeyId;
}

/** What a process receives: an event, or that some may have been lost with a connection. */
export type ReceivedApiKeyEvent = ApiKeyEvent | { readonly kind: 'missed' };

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

/** Port: delivers events of keys to every process, as far as possible: cached look-ups expire within seconds anyway. */
export abstract class ApiKeyEventBus {
  /** Sends the event to every process; rejects when the event could not be sent. */
  abstract publish(event: ApiKeyEvent): Promise<void>;
  /**
   * Calls the listener for every event from now on, until whoever made the bus closes it. Never rejects: it reconnects
   * until it succeeds, then passes `missed` to the listener.
   */
  abstract subscribe(listener: (event: ReceivedApiKeyEvent) => void): Promise<void>;
}

/** Passes every event of the bus, and at once those of this process itself, to all listeners in this process. */
export class ApiKeyEventDispatcher {
  private readonly listeners: ((event: ReceivedApiKeyEvent) => void)[] = [];

  /** @param bus none where this is the only process */
  constructor(private readonly bus?: ApiKeyEventBus) {}

  /** Adds a listener for as long as the process lives. It must not throw. */
  listen(listener: (event: ReceivedApiKeyEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Tells this process at once, then the others; rejects when they could not be told. */
  async publish(event: ApiKeyEvent): Promise<void> {
    this.dispatch(event);
    await this.bus?.publish(event);
  }

  /** Resolves when the bus has connected, or will go on trying by itself. Never rejects. */
  async start(): Promise<void> {
    await this.bus?.subscribe((event) => {
      this.dispatch(event);
    });
  }

  private dispatch(event: ReceivedApiKeyEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}
