/**
 * Calls back after a time. What has arrived by then is read first, so that an endpoint that has responded is in time though
 * this process stood still: timers are called before sockets are read, and immediates after that.
 *
 * @param ms in milliseconds
 * @returns ends it
 */
export function startTimeout(ms: number, callback: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(callback);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
