/** Option of Node.js, also for `NODE_OPTIONS`, with which a program collects all garbage when it receives SIGUSR2. */
export const COLLECTS_GARBAGE = `--import=${new URL('../collect-garbage.mjs', import.meta.url).href}`;
