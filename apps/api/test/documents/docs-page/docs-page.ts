import { afterAll, expect } from '@jest/globals';
import { parse, stringify } from 'lossless-json';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from '@petstore/test-servers';
import { type RunningService, serve } from '../../support/running-service.js';

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
}

/** A browser before the docs of a running service: one start for all tests of a file, pages as the tests take them. */
export class DocsPage {
  page!: Page;
  private requested: string[] = [];
  private complaints: string[] = [];

  private constructor(
    readonly running: RunningService,
    readonly browser: Browser,
  ) {}

  /** For all tests of a file. */
  static async launch(): Promise<DocsPage> {
    const browser = await launchChromium();
    // Before the service, which would wait for its connections.
    afterAll(() => browser.close());
    const { running } = await serve({ DOCS_PER_MINUTE: '100000' });
    return new DocsPage(running, browser);
  }

  /** Opens a new page, and watches what it loads and complains about. */
  async open(): Promise<void> {
    this.page = await this.browser.newPage();
    this.requested = [];
    this.complaints = [];
    this.page.on('request', (request) => this.requested.push(request.url()));
    this.page.on('pageerror', (error) => this.complaints.push(error.message));
    this.page.on('console', (message) => {
      // The browser notes every response of 4xx; those are wanted here.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.complaints.push(message.text());
    });
  }

  /** Fails when the page has complained, or has loaded something from elsewhere. */
  async leave(...origins: string[]): Promise<void> {
    expect(this.complaints).toEqual([]);
    const own = ['data:', ...[this.running.service.origin, ...origins].map((origin) => `${origin}/`)];
    expect(this.requested.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([]);
    await this.page.close();
  }

  /**
   * Reduces the document to the operations on animals and their successes: with all of it each click takes Swagger UI
   * seconds.
   *
   * @param change of the document's text
   * @param origin of the service that the page is of
   */
  async showAnimalsOnly(
    change = (text: string): string => text,
    origin = this.running.service.origin,
  ): Promise<void> {
    // Exact numbers are part of what is tested.
    const document = parse(await (await fetch(`${origin}/openapi.json`)).text()) as Document;
    const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/pets'));
    for (const operation of paths.flatMap(([, item]) => Object.values(item))) {
      const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 300);
      operation.responses = Object.fromEntries(successes);
    }
    const text = stringify({ ...document, paths: Object.fromEntries(paths) }, undefined, 2) ?? '';
    const response = { contentType: 'application/json', body: change(text) };
    await this.page.route('**/openapi.json', (route) => route.fulfill(response));
  }

  /** Goes to the page where operations are tried. */
  async goToOperations(url = `${this.running.service.origin}/docs`): Promise<void> {
    await this.page.goto(url);
    await this.page.locator('.opblock').first().waitFor();
  }

  operation(id: string): Locator {
    return this.page.locator(`[id$="-${id}"]`);
  }

  /** Opens an operation and closes all others: each click takes Swagger UI the longer, the more is open. */
  async unfold(id: string): Promise<Locator> {
    const block = this.operation(id);
    const control = block.locator('.opblock-summary-control');
    if ((await control.getAttribute('aria-expanded')) === 'true') return block;
    const open = this.page.locator('.opblock-summary-control[aria-expanded=true]');
    while ((await open.count()) > 0) await open.first().click();
    await control.click();
    return block;
  }

  /** Enters a key, in place of one that was entered before. */
  async authorize(key: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Authorize' }).first().click();
    const logout = this.page.locator('.auth-btn-wrapper button', { hasText: 'Logout' });
    if (await logout.isVisible()) await logout.click();
    await this.page.getByLabel('auth-bearer-value').fill(key);
    await this.page.locator('.auth-btn-wrapper button', { hasText: 'Authorize' }).click();
    await this.page.getByRole('button', { name: 'Close' }).last().click();
  }

  /** Opens an operation, sends its request, and gives back the status that the page shows. */
  async execute(id: string): Promise<string> {
    await this.unfold(id);
    return this.send(id);
  }

  /** Sends the request of an operation that is open, and gives back the status that the page shows. */
  async send(id: string): Promise<string> {
    const block = this.operation(id);
    const clear = block.getByRole('button', { name: 'Clear', exact: true });
    // The status of the response before is not the one to wait for.
    if (await clear.isVisible()) await clear.click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const status = block.locator('.live-responses-table tbody .response-col_status');
    await status.waitFor();
    return (await status.innerText()).trim();
  }

  /** The body of the response that an operation shows. */
  shownBody(id: string): Promise<string> {
    return this.operation(id).locator('.live-responses-table .microlight').first().innerText();
  }
}
