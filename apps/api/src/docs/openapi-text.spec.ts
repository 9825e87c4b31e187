import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { OpenApiText } from './openapi-text.js';

const DOCUMENT: OpenAPIObject = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: {} };

describe('OpenApiText', () => {
  it('is made once, however many ask for either form at the same time', async () => {
    const text = new OpenApiText();
    let made = 0;
    text.publish(() => {
      made++;
      return Promise.resolve(DOCUMENT);
    });
    const all = await Promise.all(Array.from({ length: 100 }, (_, i) => (i % 2 ? text.json : text.yaml)));
    expect(new Set(all).size).toBe(2);
    expect(await text.json).toBe(all[1]);
    expect(made).toBe(1);
  });

  it('is made again after a failure', async () => {
    const text = new OpenApiText();
    const results = [Promise.reject(new Error('EMFILE')), Promise.resolve(DOCUMENT)];
    text.publish(() => results.shift() ?? Promise.reject(new Error('once too often')));
    await expect(text.json).rejects.toThrow('EMFILE');
    expect((await (await text.json).as('identity')).bytes.toString()).toContain('"openapi": "3.1.0"');
  });

  it('is not there before the app is complete', async () => {
    await expect(new OpenApiText().yaml).rejects.toThrow('not complete');
  });
});
