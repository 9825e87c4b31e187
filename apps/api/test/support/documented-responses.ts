import { read } from '../deploy/deploy-files.js';
import { type Operation, readDocument } from './openapi-document.js';

interface DocumentedPath {
  /** What targets of its requests look like. */
  readonly target: RegExp;
  /** By method in lower case. */
  readonly operations: Readonly<Record<string, Operation>>;
}

let paths: readonly DocumentedPath[] | undefined;

function readPaths(): readonly DocumentedPath[] {
  const document = readDocument(read('docs/openapi.json'));
  return Object.entries(document.paths).map(([path, operations]) => ({
    target: new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`),
    operations,
  }));
}

/**
 * Targets and methods without an operation pass.
 *
 * @throws {Error} when the OpenAPI document does not say that the operation responds with this status and error code
 */
export function requireDocumentedResponse(
  method: string,
  target: string,
  { status, text }: { readonly status: number; readonly text: string },
): void {
  paths ??= readPaths();
  const { operations = {} } = paths.find((path) => path.target.test(target)) ?? {};
  const operation = operations[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (operation === undefined) return;
  const documented = operation.responses[status];
  const codes = Object.keys(documented?.content?.['application/json']?.examples ?? {});
  const code = status < 400 || text === '' ? '' : (JSON.parse(text) as { code: string }).code;
  if (documented !== undefined && (code === '' || codes.includes(code))) return;
  throw new Error(
    `docs/openapi.json does not say that ${operation.operationId} responds with ${status} ${code}: ` +
      'name the error in "errors" of the operation in the *.docs.ts; npm run openapi writes the document.',
  );
}
