const handlers = new WeakSet();

/** Notes that a handler reads the body of its requests. */
export function noteBodyHandler(handler: object): void {
  handlers.add(handler);
}

/** Whether a handler reads the body of its requests; to all others it is of no interest whether that is there. */
export function readsBody(handler: object): boolean {
  return handlers.has(handler);
}
