import { describe, expect, it } from '@jest/globals';
import { type Environment, readConfiguration } from '../configuration/configuration.js';
import { InstanceDescription } from './instance-description.js';

const PRODUCTION = 'https://api.pets.example/v1';
const STAGING = 'https://staging.pets.example/petstore/v1';

const describedWith = (environment: Environment): InstanceDescription =>
  new InstanceDescription(readConfiguration(environment));

describe('the description of an instance', () => {
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
