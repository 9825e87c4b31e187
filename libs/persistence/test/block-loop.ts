/** Lets nothing else happen in this process for so many milliseconds. */
export function blockLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end) Math.sqrt(end);
}
