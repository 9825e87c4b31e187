// Takes docs/pictures/docs-page.png, the picture of the docs page, anew when the document shows other operations than it.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { shownOperations } from '../../apps/api/dist/docs/committed-document.js';
import { launchChromium } from '../test-servers/dist/index.js';

const at = (name) => fileURLToPath(new URL(`../../docs/pictures/${name}`, import.meta.url));
/** What the picture shows, for the test that compares it with the document. */
const SHOWN = at('docs-page.txt');
/** Where `npm start` listens, which the page shows. */
const ORIGIN = 'http://127.0.0.1:3000';

/**
 * @param {{ origin: string }} service that runs
 * @param {string} document docs/openapi.json
 * @returns {Promise<boolean>} whether the picture is another one now
 */
export async function takePicture({ origin }, document) {
  const shown = shownOperations(document);
  if ((await readFile(SHOWN, 'utf8').catch(() => '')) === shown) return false;
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 1500 } });
    await page.route(`${ORIGIN}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(ORIGIN, origin) });
      await route.fulfill({ response });
    });
    await page.goto(`${ORIGIN}/docs`);
    await page.locator('.opblock').first().waitFor();
    await page.screenshot({ path: at('docs-page.png'), animations: 'disabled' });
  } finally {
    await browser.close();
  }
  await writeFile(SHOWN, shown);
  return true;
}
