import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { DocsPage } from './docs-page.js';

/** Each test of the block has a new page. */
export function eachOnItsPage(at: () => DocsPage): void {
  beforeEach(() => at().open());
  afterEach(() => at().leave());
}

/**
 * All tests of the block share one page, at the operations: loading them takes longer than most tests. What a test opens
 * stays open for the next.
 */
export function allOnOnePage(at: () => DocsPage): void {
  beforeAll(async () => {
    await at().open();
    await at().showAnimalsOnly();
    await at().goToOperations();
  });
  afterAll(() => at().leave());
}
