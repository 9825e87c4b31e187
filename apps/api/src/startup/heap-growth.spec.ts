import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { HEAP_GROWTH } from './heap-growth.js';

/** 40 MB that stay, and 200 MB that live just long enough to become old. */
const PROGRAM = `
  require('node:v8').setFlagsFromString(process.argv[1]);
  const { constants, PerformanceObserver } = require('node:perf_hooks');
  const object = (value) => ({ value, more: [value, value, value] });
  const stay = Array.from({ length: 400_000 }, (_, i) => object(i));
  const passing = [];
  gc();
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries())
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  });
  observer.observe({ entryTypes: ['gc'] });
  let made = 0;
  const timer = setInterval(() => {
    for (let i = 0; i < 20_000; i++) passing[made++ % 100_000] = object(i);
    if (made < 2_500_000) return;
    clearInterval(timer);
    setTimeout(() => console.log(String(collections), 'with', stay.length), 50);
  }, 2);
`;

/** @returns how often old objects were collected */
async function collections(growth: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--eval',
    PROGRAM,
    '--',
    growth,
  ]);
  return Number.parseInt(stdout);
}

it('lets the heap of a running process grow by as much as it says', async () => {
  const [often, seldom] = await Promise.all([
    collections('--heap-growing-percent=10'),
    collections(HEAP_GROWTH),
  ]);
  expect(seldom).toBeLessThan(often / 2);
});
