import { describe, expect, it } from '@jest/globals';
import type { OpenApiDocuments } from './openapi-document.js';
import { OpenApiText } from './openapi-text.js';

const HEAD = { openapi: '3.1.0', info: { title: 'A', version: '1' } };
const DOCUMENTS: OpenApiDocuments = { api: { ...HEAD, paths: {} }, webhooks: { ...HEAD, webhooks: {} } };

describe('OpenApiText', () => {
  it('is made once, however many ask for any form of either document at the same time', async () => {
    const text = new OpenApiText();
    let made = 0;
    text.publish(() => {
      made++;
      return DOCUMENTS;
    });
    const forms = ['json', 'yaml', 'webhooks'] as const;
    const all = await Promise.all(Array.from({ length: 99 }, (_, i) => text[forms[i % 3] ?? 'json']));
    expect(new Set(all).size).toBe(3);
    expect(await text.json).toBe(all[0]);
    expect(made).toBe(1);
  });

  it('is made again after a failure', async () => {
    const text = new OpenApiText();
    let times = 0;
    text.publish(() => {
      if (++times === 1) throw new Error('EMFILE');
      return DOCUMENTS;
    });
    await expect(text.json).rejects.toThrow('EMFILE');
    expect((await (await text.json).as('identity')).bytes.toString()).toContain('"openapi": "3.1.0"');
  });

  it('is not there before the app is complete', async () => {
    await expect(new OpenApiText().yaml).rejects.toThrow('not complete');
  });
});
