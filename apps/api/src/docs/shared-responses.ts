import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_MEDIA_TYPE } from '@petstore/http-server';

type Paths = OpenAPIObject['paths'];
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

/** What is read here of a response of an operation. */
interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, object>> }>>;
}

interface DocumentedOperation {
  readonly responses: Record<string, Response | { readonly $ref: string }>;
}

/**
 * Moves what several operations respond with to the components: each response that is no success and that is the same
 * elsewhere becomes a reference.
 *
 * @param paths in which the references are put
 * @returns the components by name: the error codes, and the header fields that another response with these codes does not
 * have
 */
export function shareResponses(paths: Paths): Responses {
  const operations = Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, DocumentedOperation>),
  );
  const texts = operations
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => !status.startsWith('2'))
    .map(([, response]) => JSON.stringify(response));
  const repeated = [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
  const shared = repeated.map((text) => JSON.parse(text) as Response);
  const names = new Map(shared.map((response) => [JSON.stringify(response), nameOf(response, shared)]));
  for (const { responses } of operations)
    for (const [status, response] of Object.entries(responses)) {
      const name = names.get(JSON.stringify(response));
      if (name !== undefined) responses[status] = { $ref: `#/components/responses/${name}` };
    }
  return Object.fromEntries(shared.map((response) => [nameOf(response, shared), response]));
}

function nameOf(response: Response, all: readonly Response[]): string {
  const codes = codesOf(response);
  const others = all.filter((other) => codesOf(other) === codes).map(headersOf);
  const own = headersOf(response).filter((name) => !others.every((names) => names.includes(name)));
  return own.length === 0 ? codes : `${codes}With${own.join('').replaceAll('-', '')}`;
}

/** `InvalidParameterOrBadRequest`; of a 304, which has no error, `NotModified`. */
function codesOf(response: Response): string {
  const { examples = { not_modified: {} } } = response.content?.[JSON_MEDIA_TYPE] ?? {};
  const pascalCase = (code: string): string =>
    code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  return Object.keys(examples).map(pascalCase).join('Or');
}

function headersOf(response: Response): readonly string[] {
  return Object.keys(response.headers ?? {});
}
