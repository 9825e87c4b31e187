// Takes docs/pictures/docs-page.png, the picture of the docs page. Run it after `npm run build` when docs/openapi.json shows
// other operations than the picture: node tools/pictures/docs-page.mjs
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchChromium, startPetStore } from '../test-servers/dist/index.js';

const at = (name) => fileURLToPath(new URL(`../../docs/pictures/${name}`, import.meta.url));
/** Where `npm start` listens, which the page shows. */
const ORIGIN = 'http://127.0.0.1:3000';

const service = await startPetStore();
try {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 1500 } });
    await page.route(`${ORIGIN}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(ORIGIN, service.origin) });
      await route.fulfill({ response });
    });
    await page.goto(`${ORIGIN}/docs`);
    await page.locator('.opblock').first().waitFor();
    await page.screenshot({ path: at('docs-page.png'), animations: 'disabled' });
  } finally {
    await browser.close();
  }
  // What the picture shows, for the test that compares it with the document: subjects and operations.
  const { tags, paths } = await (await fetch(`${service.origin}/openapi.json`)).json();
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary }]) => `${method} ${path}: ${summary}\n`),
  );
  const subjects = tags.map(({ name, description }) => `${name}: ${description}\n`);
  await writeFile(at('docs-page.txt'), [...subjects, ...operations].join(''));
} finally {
  await service.stop();
}
