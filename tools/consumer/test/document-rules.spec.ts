import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { redoclyFindings, spectralFindings } from '../src/document-rules.js';

const text = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');

describe('the OpenAPI document', () => {
  it("keeps Redocly's recommended-strict rules, all of them", async () => {
    expect(await redoclyFindings(text)).toEqual([]);
  });

  it("keeps Spectral's rules and OWASP's, but for the named exceptions", async () => {
    expect(await spectralFindings(text)).toEqual([]);
  });

  it('would not get away with mistakes', async () => {
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
