import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { DocsPage } from './docs-page.js';
import { idOf, KeyPage, seedWebhook } from './key-page.js';
import { eachOnItsPage } from './pages.js';

/** Of the package axe-core, to be run in a page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each page is looked at in both of these: contrast is of the colours, order and size are of the device. */
const APPEARANCES = [
  ['light', 'desktop', { width: 1280, height: 800 }],
  ['dark', 'phone', { width: 360, height: 740 }],
] as const;
const TIMEOUT_MS = 180_000;

/** Colours change at once from now on: one that is on its way to another is neither of the two. */
const WITHOUT_TRANSITIONS = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
}`;

/** Resolves when the page has followed a change of its appearance. */
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(resolve))';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds serious or critical in a page as it is at the moment, in every appearance. */
async function findingsIn(page: Page): Promise<string[]> {
  if (await page.evaluate<boolean>('window.axe === undefined')) {
    await page.evaluate(AXE);
    await page.evaluate(WITHOUT_TRANSITIONS);
  }
  const findings: string[] = [];
  for (const [colorScheme, device, size] of APPEARANCES) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await page.evaluate(NEXT_FRAME);
    const { violations } = await page.evaluate<{ violations: Violation[] }>(
      "axe.run(document, { resultTypes: ['violations'] })",
    );
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue;
      for (const { html, failureSummary } of nodes)
        findings.push(`${colorScheme}, ${device}: ${id}: ${html} ${failureSummary}`);
    }
  }
  return findings;
}

/** Everybody can read and use the pages. */
export function describeAccessibility(docs: DocsPage): void {
  describe('axe, light on a desktop and dark on a phone', () => {
    eachOnItsPage(docs);

    it(
      'finds nothing serious in the guide and its search',
      async () => {
        const { page, running } = docs;
        // One page of each template: the list of pages, and a page with code, tables and a mark.
        await page.goto(`${running.service.origin}/docs/guide`);
        expect(await findingsIn(page)).toEqual([]);
        await page.goto(`${running.service.origin}/docs/guide/errors#pet_not_found`);
        await page.getByRole('searchbox').fill('key');
        await page.locator('.found a').first().waitFor();
        expect(await findingsIn(page)).toEqual([]);
      },
      TIMEOUT_MS,
    );

    it(
      'finds nothing serious in the key page, with what it shows and with an error',
      async () => {
        const { page, running } = docs;
        const keyPage = await KeyPage.open(docs);
        await keyPage.submit('not a key');
        await page.locator('.problem').waitFor();
        expect(await findingsIn(page)).toEqual([]);
        const expiresAt = new Date(Date.now() + 86_400_000);
        const key = await running.issueKey({ plan: 'free', expiresAt });
        const { id } = await seedWebhook(docs, await idOf(docs, key));
        await keyPage.enter(key);
        await page.getByRole('button', { name: `Deliveries of ${id}` }).click();
        await page.getByRole('table', { name: `Last deliveries of ${id}` }).waitFor();
        expect(await findingsIn(page)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
}
