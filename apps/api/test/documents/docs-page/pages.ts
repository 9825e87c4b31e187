import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { DocsPage } from './docs-page.js';

/** Each test of the block has a new page. */
export function eachOnItsPage(docs: DocsPage): void {
  beforeEach(() => docs.open());
  afterEach(() => docs.leave());
}

/**
 * All tests of the block share one page, at the operations: loading them takes longer than most tests. What a test opens
 * stays open for the next.
 */
export function allOnOnePage(docs: DocsPage): void {
  beforeAll(async () => {
    await docs.open();
    await docs.showAnimalsOnly();
    await docs.goToOperations();
  });
  afterAll(() => docs.leave());
}
