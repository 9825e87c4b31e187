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
  readonly responses: Readonly<Record<string, Response>>;
}

/**
 * Moves what several operations respond with to the components: each response that is no success and that is the same
 * elsewhere becomes a reference.
 *
 * @returns the paths with references, and the components by name: the error codes, and the header fields that another
 * response with these codes does not have
 */
export function shareResponses(paths: Paths): { readonly paths: Paths; readonly responses: Responses } {
  const texts = Object.values(paths)
    .flatMap((item) => Object.values(item as Record<string, DocumentedOperation>))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => !isSuccess(status))
    .map(([, response]) => JSON.stringify(response));
  const repeated = [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
  const shared = repeated.map((text) => JSON.parse(text) as Response);
  const names = new Map(shared.map((response) => [JSON.stringify(response), nameOf(response, shared)]));
  const referring = ([status, response]: [string, Response]): [string, object] => {
    const name = isSuccess(status) ? undefined : names.get(JSON.stringify(response));
    return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }];
  };
  return {
    paths: mapValues(paths, (item) =>
      mapValues(item as Record<string, DocumentedOperation>, (operation) => ({
        ...operation,
        responses: Object.fromEntries(Object.entries(operation.responses).map(referring)),
      })),
    ),
    responses: Object.fromEntries(shared.map((response) => [nameOf(response, shared), response])),
  };
}

function isSuccess(status: string): boolean {
  return status.startsWith('2');
}

function mapValues<From, To>(
  members: Record<string, From>,
  change: (member: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
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
