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

  it('would not get away with a mistake', async () => {
    const bad = text.replaceAll('"operationId": "createPet"', '"operationId": "listPets"');
    expect(await redoclyFindings(bad)).toContainEqual(expect.stringMatching(/^operation-operationId-unique/));
    expect(await spectralFindings(bad)).toContainEqual(
      expect.stringMatching(/^operation-operationId-unique/),
    );
    const plain = text.replace('http://127.0.0.1:3000/v1', 'http://pets.example/v1');
    expect(await spectralFindings(plain)).toContainEqual(expect.stringMatching(/without TLS/));
    const unbounded = text.replaceAll('"maxLength": 255,', '');
    expect(await spectralFindings(unbounded)).toContainEqual(expect.stringMatching(/string-limit/));
    const silent = text.replaceAll('"X-RateLimit-Reset": {', '"X-Reset": {');
    expect(await spectralFindings(silent)).toContainEqual(expect.stringMatching(/rate-limit/));
  });
});
