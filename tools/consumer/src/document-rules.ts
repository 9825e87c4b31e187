import { createRequire } from 'node:module';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/**
 * What the rules of Redocly (`recommended-strict`) have to say about an OpenAPI document.
 *
 * @param text the document as JSON
 */
export async function redoclyFindings(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

/** What the rules of Spectral (`spectral:oas`, and all of OWASP's) have to say. */
export async function spectralFindings(text: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [
      [rulesets.oas as unknown as Ruleset, 'recommended'],
      [owasp, 'all'],
    ],
    rules: { ...EXCEPTIONS, 'owasp:api4:2023-rate-limit': LIMIT_HEADERS },
  } as Ruleset);
  const findings = await linter.run(JSON.parse(text) as Record<string, unknown>);
  return findings.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`);
}

/** Asked for as CommonJS: its package promises a default export that it does not have. */
const owasp = createRequire(import.meta.url)('@stoplight/spectral-owasp-ruleset') as Ruleset;

type Ruleset = Parameters<spectral.Spectral['setRuleset']>[0];

/** Rules that the document cannot keep, each with what forbids it. */
const EXCEPTIONS = {
  // The specification makes ids int64 (section 2) and leaves no room for others.
  'owasp:api1:2023-no-numeric-ids': 'off',
  // The specification gives GET /pets/{petId} no 400: what cannot be an id names no animal, 404 (section 4.3).
  'owasp:api8:2023-define-error-validation': 'off',
  // Cross-origin calls are refused unless an operator allows them; the header field is then the operator's.
  'owasp:api8:2023-define-cors-origin': 'off',
};

/**
 * OWASP's rule wants one family of header fields and refuses a document that has two. This service sends
 * `X-RateLimit-*`, which the specification demands (section 8), and the standard's fields; and a 431 is
 * sent before any limit is known.
 */
const LIMIT_HEADERS = {
  message: 'A response does not document its limit headers.',
  severity: 'error',
  given: "$.paths[*]..responses[?(@property.match(/^(2|4)/) && @property !== '431')]",
  then: {
    field: 'headers',
    function: (headers: unknown) => {
      const names = Object.keys(headers ?? {});
      const wanted = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit'];
      return wanted.every((name) => names.includes(name)) ? [] : [{ message: 'A limit header is missing.' }];
    },
  },
};
