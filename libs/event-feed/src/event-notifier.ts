/** Notifies listeners in this process of new events. They may miss some, and look by themselves, too. */
export class EventNotifier {
  private readonly listeners = new Set<() => void>();

  /** Called after the commit of what has happened; can be handed over as it is. */
  readonly notify = (): void => {
    for (const listener of this.listeners) listener();
  };

  /** @returns ends the listening */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
