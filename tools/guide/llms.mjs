import { relativeUrl } from './sources.mjs';

/**
 * The file that programs read first (https://llmstxt.org): what this is, and where the rest is.
 *
 * @param {string} path where it is served
 */
export function llmsText(path, sources) {
  const url = (to) => relativeUrl(path, to);
  const [, ...pages] = sources;
  return `# Pet Store Service

> An HTTP/JSON API through which programs browse and manage animals available for adoption: list, add, change and remove
> them, group them by category, reserve and adopt them, count them, and follow every change.

Every request under \`/v1\` needs an API key, sent as \`Authorization: Bearer <API_KEY>\`. Ids are int64: parse them without
rounding. Every error is JSON with exactly \`code\`, \`message\` and \`status\`. Each plan limits the requests of a minute and of a
day; after a 429 wait as long as \`Retry-After\` says. To show animals in a page, use the element \`<adoptable-animals>\` of
\`/embed/v1/adoptable-animals.js\` with a publishable key; a page's own program imports \`PetStoreClient\` from
\`/embed/v1/client.js\`.

Assistants speak the Model Context Protocol at \`/mcp\` beside \`/v1\`, with the same key as \`Authorization: Bearer <API_KEY>\`:
tools find, compare and reserve animals, and keep a shelter's list.

## Guide

${pages.map(({ path: page, title, description }) => `- [${title}](${url(`${page}.md`)}): ${description}`).join('\n')}

## Reference

- [OpenAPI document](${url('/openapi.json')}): every operation, parameter, schema and error; also as [YAML](${url('/openapi.yaml')})
- [Document of the webhooks](${url('/openapi-webhooks.json')}): every request that the service sends to endpoints
- [Docs page](${url('/docs')}): every operation, to be tried in a browser
`;
}
