import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const HEAD = `// Made from docs/openapi.json by \`npm run openapi\`; not edited by hand.

`;

/**
 * The TypeScript types of an OpenAPI document, as src/contract.generated.ts holds them.
 *
 * @param {string} text the document as JSON
 * @returns {Promise<string>}
 */
export async function contractTypes(text) {
  const document = JSON.parse(text);
  const codes = document.components.schemas.Error['x-codes'];
  const types = await openapiTypescript(document, {
    // Beyond 2^53 a number would be another one.
    transform: ({ type, maximum }) =>
      type === 'integer' && maximum > Number.MAX_SAFE_INTEGER
        ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
        : undefined,
  });
  const list = codes.map((code) => `  '${code}',\n`).join('');
  const errorCodes = `/** Every error code of the document, by status. */
export const ERROR_CODES = [\n${list}] as const;
`;
  return `${HEAD}${astToString(types)}\n${errorCodes}`;
}
