import type { Caller } from '@petstore/api-key';
import type { Value } from '@petstore/pet-domain';
import type { IdempotencyKey } from '../operations/request-headers.decorator.js';
import { toolSchema } from './results.js';

/** A tool of an assistant, as the protocol lists it, and what it calls. */
interface ToolOptions<Given> {
  /** In snake_case; people read its words. */
  readonly name: string;
  readonly description: string;
  /** The scope that a key needs to see and to call it; any accepted key may without one. */
  readonly scope?: string;
  /** By their names in the contract. */
  readonly arguments: Value<Given>;
  /** What `run` returns: an object. */
  readonly result: Value<unknown>;
  /**
   * @param key of the call, of a tool with an `idempotencyKey`
   * @throws ApiError, which is a result for the model to fix
   */
  readonly run: (given: Given, caller: Caller, key: IdempotencyKey | undefined) => Promise<object>;
}

export type Tool = ToolOptions<unknown>;

/** Declares a tool: its arguments have the types that they are declared with. */
export function defineTool<Given>(options: ToolOptions<Given>): Tool {
  return options as Tool;
}

/**
 * A tool as the protocol lists it. Hosts decide by its hints what they ask a person for: one that needs no more than a scope
 * to read changes nothing; one that takes an idempotency key adds something, each time; others change or end what is there,
 * and once more nothing.
 */
export function listed({ name, description, scope, arguments: declared, result }: Tool): object {
  const words = name.replaceAll('_', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const reads = scope === undefined || scope.endsWith(':read');
  const adds = 'idempotencyKey' in (declared.members ?? {});
  const annotations = {
    title,
    readOnlyHint: reads,
    destructiveHint: !reads && !adds,
    idempotentHint: !adds,
    openWorldHint: false,
  };
  return {
    name,
    title,
    description,
    // Closed: a misspelt argument would be passed over.
    inputSchema: { ...toolSchema(declared.schema), additionalProperties: false },
    outputSchema: toolSchema(result.schema),
    annotations,
  };
}
