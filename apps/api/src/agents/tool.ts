import type { Caller } from '@petstore/api-key';
import type { SchemaObject } from '@petstore/http-server';
import type { Argument, Arguments, Given } from './arguments.js';

/** What a tool does to what there is; hosts decide by it what they ask a person for (all four of the protocol). */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** It changes nothing. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** It adds something; called again, it adds another one. */
export const ADDS: ToolHints = { ...READS, readOnlyHint: false, idempotentHint: false };
/** It changes or ends what is there; called again, it changes nothing more. */
export const CHANGES: ToolHints = { ...READS, readOnlyHint: false, destructiveHint: true };

/** A tool of an assistant, as the protocol lists it, and what it calls. */
export interface ToolOptions<A extends Arguments> {
  /** In snake_case; people read its words. */
  readonly name: string;
  readonly description: string;
  /** The scope that a key needs to see and to call it; any accepted key may without one. */
  readonly scope?: string;
  readonly hints: ToolHints;
  readonly arguments: A;
  /** The schema of what `run` returns: an object. */
  readonly result: SchemaObject;
  /** @throws ApiError, which is a result for the model to mend */
  readonly run: (given: Given<A>, caller: Caller) => Promise<object>;
}

export type Tool = ToolOptions<Readonly<Record<string, Argument>>>;

/** Tools of one subject; a provider of `AgentsModule`. */
export interface ToolGroup {
  readonly tools: readonly Tool[];
}

/** Declares a tool: its arguments have the types that they are declared with. */
export function defineTool<A extends Arguments>(options: ToolOptions<A>): Tool {
  return options as unknown as Tool;
}
