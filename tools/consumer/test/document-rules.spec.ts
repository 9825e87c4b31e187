import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { redoclyFindings, spectralFindings } from '../src/document-rules.js';

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

const text = await read('openapi.json');

describe.each(['openapi.json', 'openapi-webhooks.json'])('%s', (name) => {
  it("keeps Redocly's recommended-strict rules, all of them", async () => {
    expect(await redoclyFindings(await read(name))).toEqual([]);
  });

  it("keeps Spectral's rules and OWASP's, but for the named exceptions", async () => {
    expect(await spectralFindings(await read(name))).toEqual([]);
  });
});

describe('the rules', () => {
  it('would not let mistakes pass', async () => {
    const bad = text
      .replaceAll('"operationId": "createPet"', '"operationId": "listPets"')
      .replace('http://127.0.0.1:3000/v1', 'http://pets.example/v1')
      .replaceAll('"maxLength": 255,', '')
      .replaceAll('"X-RateLimit-Reset": {', '"X-Reset": {');
    const repeated = expect.stringMatching(/^operation-operationId-unique/);
    expect(await redoclyFindings(bad)).toContainEqual(repeated);
    const findings = await spectralFindings(bad);
    expect(findings).toContainEqual(repeated);
    expect(findings).toContainEqual(expect.stringMatching(/without TLS/));
    expect(findings).toContainEqual(expect.stringMatching(/string-limit/));
    expect(findings).toContainEqual(expect.stringMatching(/rate-limit/));
  });
});
