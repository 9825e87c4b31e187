/** Lets nothing else happen in this thread for so many milliseconds, and leaves the processor to others meanwhile. */
export function blockLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
