import { createRequire } from 'node:module';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/**
 * Findings of Redocly (`recommended-strict`) in an OpenAPI document.
 *
 * @param text the document as JSON
 */
export async function redoclyFindings(text: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: { ...EXAMPLE_RULES, ...(hasPaths(text) ? {} : { 'no-empty-servers': 'off' }) },
  });
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  return problems
    .filter(({ location }) => location[0]?.pointer !== `#/${SCHEMA_WITHOUT_USE.join('/')}`)
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
}

/** Findings of Spectral (`spectral:oas`, and all of OWASP's). */
export async function spectralFindings(text: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [
      [rulesets.oas as unknown as Ruleset, 'recommended'],
      [owasp, 'all'],
    ],
    rules: {
      ...EXCEPTIONS,
      ...(hasPaths(text) ? {} : { 'oas3-api-servers': 'off' }),
      'owasp:api4:2023-rate-limit': LIMIT_HEADERS,
      'owasp:api8:2023-no-server-http': SERVERS_WITH_TLS,
    },
  } as Ruleset);
  const document = JSON.parse(text) as Record<string, unknown>;
  const findings = await linter.run(document);
  return findings
    .filter(({ code, path }) => !(STRING_RULES.has(code) && isOfConditionalHeader(document, path)))
    .filter(({ code, path }) => code !== 'oas3-unused-component' || path.join() !== SCHEMA_WITHOUT_USE.join())
    .map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`);
}

/**
 * docs/released/openapi-1.0.0.json names `Pets`, and clients have types of this name. The list, which may have profiles,
 * has another schema.
 */
const SCHEMA_WITHOUT_USE = ['components', 'schemas', 'Pets'];

/** Without paths there is nothing that a server is asked for: webhooks go wherever their receivers are. */
function hasPaths(text: string): boolean {
  return 'paths' in (JSON.parse(text) as object);
}

const STRING_RULES: ReadonlySet<unknown> = new Set([
  'owasp:api4:2023-string-limit',
  'owasp:api4:2023-string-restricted',
]);

/**
 * Whether a finding is about If-Match or If-None-Match: no limit of their own is enforced, only that of all header
 * fields together, and the document says nothing that is not so.
 */
function isOfConditionalHeader(document: unknown, path: readonly (string | number)[]): boolean {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, name) => (at as Record<string | number, unknown> | undefined)?.[name], document);
  // A finding behind a reference has a path that this document does not have.
  const { in: place, name } = (holder ?? {}) as { readonly in?: unknown; readonly name?: unknown };
  return place === 'header' && (name === 'If-Match' || name === 'If-None-Match');
}

/** Loaded as CommonJS: its package promises a default export that it does not have. */
const owasp = createRequire(import.meta.url)('@stoplight/spectral-owasp-ruleset') as Ruleset;

const oasRules = rulesets.oas.rules as Record<string, object>;

type Ruleset = Parameters<spectral.Spectral['setRuleset']>[0];

/** Examples are what their schemas say, also those that are not in a body. */
const EXAMPLE_RULES = {
  'no-invalid-schema-examples': 'error',
  'no-invalid-parameter-examples': 'error',
} as const;

/** Rules that the document cannot keep, each with what forbids it, and those of examples, which Redocly checks faster. */
const EXCEPTIONS = {
  'oas3-valid-schema-example': 'off',
  // Redocly passes examples of header fields.
  'oas3-valid-media-example': {
    ...oasRules['oas3-valid-media-example'],
    given: '$.components.headers[?(@.example !== void 0)]',
    resolved: false,
  },
  // The contract makes ids int64 (docs/contract.md, "Animals") and leaves no room for others.
  'owasp:api1:2023-no-numeric-ids': 'off',
  // Who runs an instance is the operator's to say (API_CONTACT); the committed document belongs to no instance.
  'info-contact': 'off',
  // Cross-origin calls are refused unless an operator allows them; the header field is then the operator's.
  'owasp:api8:2023-define-cors-origin': 'off',
};

/**
 * OWASP's rule wants one family of header fields and refuses a document that has two. This service sends
 * `X-RateLimit-*`, which the contract promises (docs/contract.md, "Limits"), and the standard's fields; and a 414 or 431 is
 * sent before any limit is known.
 */
const LIMIT_HEADERS = {
  message: 'A response does not document its limit headers.',
  severity: 'error',
  given: "$.paths[*]..responses[?(@property.match(/^(2|4)/) && @property !== '414' && @property !== '431')]",
  then: {
    field: 'headers',
    function: (headers: unknown) => {
      const names = Object.keys(headers ?? {});
      const wanted = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit'];
      return wanted.every((name) => names.includes(name)) ? [] : [{ message: 'A limit header is missing.' }];
    },
  },
};

/** OWASP's rule also refuses the address of a local instance, which has no certificate and needs none. */
const SERVERS_WITH_TLS = {
  message: 'A server is reached without TLS.',
  severity: 'error',
  given: '$.servers..url',
  then: {
    function: (url: unknown) =>
      typeof url === 'string' && url.startsWith('http:') && !url.startsWith('http://127.0.0.1:')
        ? [{ message: 'A server is reached without TLS.' }]
        : [],
  },
};
