import { describe, expect, it } from '@jest/globals';
import { type Environment, readConfiguration } from '../configuration/configuration.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { InstanceDescription } from './instance-description.js';
import type { OpenApiDocuments } from './openapi-document.js';
import { OpenApiText } from './openapi-text.js';

describe('the description of an instance', () => {
  const PRODUCTION = 'https://api.pets.example/v1';
  const STAGING = 'https://staging.pets.example/petstore/v1';

  const describedWith = (environment: Environment): InstanceDescription => {
    const configuration = readConfiguration(environment);
    const links = new LinkBuilder(configuration.publicBaseUrl ?? '/v1');
    return new InstanceDescription(links, configuration, configuration);
  };

  it('names this instance and no other without settings', () => {
    const { servers, externalDocs, contact, origins } = describedWith({});
    expect(servers).toEqual([
      { url: '/v1', description: 'This instance (development)', 'x-internal': false },
    ]);
    expect(externalDocs.url).toBe('/docs');
    expect(contact).toBeUndefined();
    expect(origins).toEqual([]);
  });

  it('names the environment, the public address, and the other environments', () => {
    const { servers, externalDocs, origins } = describedWith({
      PETSTORE_ENVIRONMENT: 'staging',
      PUBLIC_BASE_URL: STAGING,
      STAGING_BASE_URL: STAGING,
      PRODUCTION_BASE_URL: PRODUCTION,
    });
    expect(servers.map(({ url, description }) => [url, description])).toEqual([
      [STAGING, 'This instance (staging)'],
      [PRODUCTION, 'Production'],
    ]);
    expect(externalDocs.url).toBe('https://staging.pets.example/petstore/docs');
    expect(origins).toEqual(['https://staging.pets.example', 'https://api.pets.example']);
  });

  it.each([
    ['help@pets.example', { email: 'help@pets.example' }],
    ['https://pets.example/@help', { url: 'https://pets.example/@help' }],
  ])('gives the contact %s as the operator has written it', (text, contact) => {
    expect(describedWith({ API_CONTACT: text }).contact).toEqual(contact);
  });

  it.each([
    'https://user:secret@pets.example/v1',
    'https://pets.example/?x=/v1',
    'https://pets.example/v1#/v1',
    'https://pets.example;x/v1',
    'https://pets.example/v2',
    'ftp://pets.example/v1',
  ])('refuses an address that must not be published: %s', (url) => {
    for (const variable of ['PUBLIC_BASE_URL', 'PRODUCTION_BASE_URL', 'STAGING_BASE_URL']) {
      expect(() => readConfiguration({ [variable]: url })).toThrow(variable);
    }
  });
});

describe('OpenApiText', () => {
  const HEAD = { openapi: '3.1.0', info: { title: 'A', version: '1' } };
  const DOCUMENTS: OpenApiDocuments = { api: { ...HEAD, paths: {} }, webhooks: { ...HEAD, webhooks: {} } };

  it('is made once, however many ask for any form of either document at the same time', async () => {
    const text = new OpenApiText();
    let made = 0;
    text.publish(() => {
      made++;
      return DOCUMENTS;
    });
    const paths = ['/openapi.json', '/openapi.yaml', '/openapi-webhooks.json'];
    const all = await Promise.all(Array.from({ length: 99 }, async (_, i) => text.at(paths[i % 3] ?? '')));
    expect(new Set(all).size).toBe(3);
    expect(await text.at('/openapi.json')).toBe(all[0]);
    expect(made).toBe(1);
  });

  it('is made again after a failure', async () => {
    const text = new OpenApiText();
    let times = 0;
    text.publish(() => {
      if (++times === 1) throw new Error('EMFILE');
      return DOCUMENTS;
    });
    await expect(text.at('/openapi.json')).rejects.toThrow('EMFILE');
    expect((await text.at('/openapi.json'))?.bytes.toString()).toContain('"openapi": "3.1.0"');
  });

  it('is not there before the app is complete', async () => {
    await expect(new OpenApiText().at('/openapi.yaml')).rejects.toThrow('not complete');
  });
});
