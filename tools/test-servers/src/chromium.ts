import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { makeSharedFolder, WORKSPACE_CACHE } from './shared-folder.js';
import { temporaryFolder } from './temporary-folder.js';

const PACKAGE = createRequire(import.meta.url).resolve('@sparticuz/chromium');

/** Unpacks below TMPDIR; the variable makes it bring the system libraries that a bare machine lacks. */
const UNPACK = `import chromium from ${JSON.stringify(PACKAGE)}; await chromium.executablePath();`;

/** Chromium ends itself over a character for which there is no font; the package's own file looks for them elsewhere. */
const FONTS = 'fonts.conf';
const fontsIn = (folder: string): string =>
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${folder}/cache</cachedir>
</fontconfig>
`;

/** No sandbox: tests may run as root; nothing but the page itself may go over the network. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A real headless Chromium that comes as a package: unpacked once, next to nothing needed from the system. */
export async function launchChromium(): Promise<Browser> {
  // Another version of the package, or of what is added to it, stands at another path.
  const version = createHash('sha256').update(PACKAGE).update(fontsIn('')).digest('hex').slice(0, 12);
  const home = join(WORKSPACE_CACHE, `chromium-${version}`);
  await makeSharedFolder(home, async (draft) => {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      env: { TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    });
    await writeFile(join(draft, FONTS), fontsIn(join(home, 'fonts')));
    return draft;
  });
  // A bundle of megabytes, which the many tests without a browser need not load.
  const { chromium } = await import('playwright-core');
  // Chromium does not remove all that it makes.
  const temporary = await temporaryFolder('chromium');
  const browser = await chromium.launch({
    executablePath: join(home, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(home, 'al2023/lib'),
      FONTCONFIG_FILE: join(home, FONTS),
      HOME: home,
      TMPDIR: temporary.path,
    },
    args: FLAGS,
  });
  browser.once('disconnected', () => void temporary.remove());
  return browser;
}
