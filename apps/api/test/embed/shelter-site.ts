import { afterAll, afterEach } from '@jest/globals';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@petstore/test-servers';
import type { Client } from '../support/client.js';
import { type RunningService, serve } from '../support/running-service.js';
import { until } from '../support/until.js';

type Browser = Awaited<ReturnType<typeof launchChromium>>;
export type Page = Awaited<ReturnType<Browser['newPage']>>;

export const PATH = '/embed/v1/adoptable-animals.js';
/** Of the shelter's pages. Relative addresses of such a page are `https:`, too. */
export const SITE = 'https://shelter.example';
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** What the element fires. */
export interface Fired {
  readonly type: string;
  readonly detail: unknown;
}

/** A service with a publishable key, and pages of a shelter in a browser that show its animals. */
export class ShelterSite {
  /** Where the element may ask, too: a service that responds as it is told. */
  elsewhere = '';
  /** What the console of the last page was told. */
  readonly said: string[] = [];
  /** Requests of the last page for animals. */
  readonly asked: { readonly url: string; readonly headers: Readonly<Record<string, string>> }[] = [];
  /** Addresses of those that have their response, or have failed. */
  readonly answered: string[] = [];
  private readonly pages: Page[] = [];
  /** One for all specs of a file. */
  private static browser: Promise<Browser> | undefined;

  private constructor(
    readonly running: RunningService,
    private readonly staff: Client,
    private readonly browser: Browser,
    readonly key: string,
  ) {}

  /** For all tests of a file; the pages of a test end with it. */
  static async serve(): Promise<ShelterSite> {
    const browser = await (ShelterSite.browser ??= ShelterSite.launch());
    const { running, client } = await serve();
    const settings = { name: 'pages', plan: 'business', origins: [SITE] } as const;
    const { secret } = await running.administration.create(settings, 'tests');
    const site = new ShelterSite(running, client, browser, secret);
    afterEach(() => site.closePages());
    return site;
  }

  private static async launch(): Promise<Browser> {
    const browser = await launchChromium();
    // Before the services, which would wait for its connections.
    afterAll(() => browser.close());
    return browser;
  }

  private async closePages(): Promise<void> {
    for (const page of this.pages.splice(0)) {
      page.removeAllListeners('console');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.close();
    }
  }

  /** Adds an animal, and gives its id. @param categoryId digits, which may be beyond a double */
  async add(name: string, categoryId: string, profile?: object): Promise<number> {
    const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`;
    const { text } = await this.staff.post('/v1/pets', body);
    const { id } = JSON.parse(text) as { id: number };
    if (profile !== undefined) await this.staff.post(`/v1/pets/${id}/profile`, profile, { method: 'PUT' });
    return id;
  }

  async change(id: number, patch: object): Promise<void> {
    await this.staff.patch(`/v1/pets/${id}`, patch);
  }

  /** The element in the markup of a page, with its script. */
  element(attributes: string, own = '<a href="https://shelter.example/animals">Our animals</a>'): string {
    return `<script type="module" src="${this.running.service.origin}${PATH}"></script>
      <adoptable-animals api-key="${this.key}" ${attributes}>${own}</adoptable-animals>`;
  }

  /** Answers the shelter's site with a page that has this in it, under the strictest policy, and other hosts with photos. */
  async newPage(html: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    this.said.length = this.asked.length = this.answered.length = 0;
    const page = await this.browser.newPage({ ...options, permissions: ['local-network-access'] });
    this.pages.push(page);
    page.on('console', (message) => {
      // Photos and the icon of the site, which a browser asks for beside all routes, are no part of this.
      if (!message.location().url.startsWith(SITE)) this.said.push(message.text());
    });
    page.on('pageerror', (error) => void this.said.push(error.message));
    page.on('request', (request) => {
      if (request.url().includes('/v1/pets') && request.method() === 'GET')
        this.asked.push({ url: request.url(), headers: request.headers() });
    });
    for (const event of ['requestfinished', 'requestfailed'] as const)
      page.on(event as 'requestfinished', (request) => void this.answered.push(request.url()));
    await page.route('https://**', (route) => route.fulfill({ contentType: 'image/png', body: PHOTO }));
    await page.route(`${SITE}/`, (route) => {
      const service = this.running.service.origin;
      const policy = `default-src 'none'; script-src ${service}; connect-src ${service} ${this.elsewhere}; img-src https:; style-src 'none'`;
      return route.fulfill({
        headers: {
          'Content-Security-Policy': `${policy}; require-trusted-types-for 'script'; trusted-types 'none'`,
          'Content-Type': 'text/html; charset=utf-8',
        },
        body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
          <title>A shelter</title><main><h1>Our animals</h1>${html}</main></html>`,
      });
    });
    await page.addInitScript(`
      window.firings = [];
      window.fired = new Promise((resolve) => {
        for (const type of ['load', 'error'])
          document.addEventListener(type, ({ target, detail }) => {
            if (target.localName !== 'adoptable-animals') return;
            window.firings.push({ type, detail });
            resolve({ type, detail });
          }, true);
      });
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    return page;
  }

  /** Opens a page with this in it, and gives what the element fires first. @param hash of the address, with its `#` */
  async open(
    html: string,
    {
      width = 1_000,
      hash = '',
      ...options
    }: { width?: number; hash?: string; reducedMotion?: 'reduce' } = {},
  ): Promise<{ page: Page; fired: Fired }> {
    const page = await this.newPage(html, { ...options, viewport: { width, height: 800 } });
    await page.goto(`${SITE}/${hash}`);
    return { page, fired: await page.evaluate('window.fired') };
  }

  /** A service that responds to everything but preflights in this way. */
  async serveElsewhere(respond: (response: http.ServerResponse) => void): Promise<http.Server> {
    const service = http.createServer(({ method }, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Access-Control-Allow-Headers', 'Authorization');
      response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
      if (method === 'OPTIONS') response.writeHead(204).end();
      else respond(response);
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    this.elsewhere = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    return service;
  }
}

/** Names on the cards, in their order. */
export const namesIn = (page: Page): Promise<string[]> => page.locator('[part=name]').allInnerTexts();

/** Waits until the cards are these. */
export async function showsNames(page: Page, names: readonly string[]): Promise<void> {
  await until(async () => JSON.stringify(await namesIn(page)) === JSON.stringify(names));
}

/** What an expression gives for a part of the element, which it calls `part`. */
export function ofPart<T>(page: Page, selector: string, expression: string): Promise<T> {
  return page.evaluate(`(() => {
    const part = document.querySelector('adoptable-animals').shadowRoot.querySelector('${selector}');
    return ${expression};
  })()`);
}
