import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import { API_KEY_ERRORS } from '../access/access.errors.js';
import { toApiError } from '../http/error-mapper.js';
import { operationOf, readArguments, schemaOf } from './arguments.js';
import { refusalText } from './next-steps.js';
import type { Members } from './results.js';
import type { Tool, ToolGroup } from './tool.js';

/** Injects the {@link ToolGroup}s, in the order in which tools are listed. */
export const TOOL_GROUPS = Symbol('tool groups');

/** What a call has come to: a result, or an error that a model can mend, with the code of the same error over HTTP. */
export type ToolOutcome = { readonly result: object } | { readonly text: string; readonly code: string };

/** Every tool of the service, whatever protocol they are called by. */
@Injectable()
export class Tools {
  private readonly tools: ReadonlyMap<string, Tool & { readonly listed: object }>;

  /** @throws Error when two tools have one name */
  constructor(@Inject(TOOL_GROUPS) groups: readonly ToolGroup[]) {
    const all = groups.flatMap(({ tools }) => tools);
    this.tools = new Map(all.map((tool) => [tool.name, { ...tool, listed: listed(tool) }]));
    if (this.tools.size < all.length) throw new Error('Two tools have one name.');
  }

  has(name: string): boolean {
    return this.tools.has(name);
  }

  /** What the tool of a name is called in the log, in metrics and in traces. */
  readonly operationOf = operationOf;

  /** Those that a caller may call, as the protocol lists them. */
  listFor(caller: Caller): readonly object[] {
    return [...this.tools.values()].filter((tool) => mayCall(caller, tool)).map((tool) => tool.listed);
  }

  /**
   * Calls a tool that there is.
   *
   * @throws what is no fault of the arguments: a database that is away, a defect
   */
  async call(name: string, sent: Members, caller: Caller): Promise<ToolOutcome> {
    const tool = this.tools.get(name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    try {
      if (!mayCall(caller, tool))
        throw new ApiError(API_KEY_ERRORS.insufficient_scope, {
          message: `The key lacks the scope ${tool.scope ?? ''}.`,
        });
      return { result: await tool.run(readArguments(tool.arguments, sent), caller) };
    } catch (error) {
      const refusal = error instanceof ApiError ? error : toApiError(error);
      if (refusal === undefined || refusal.getStatus() >= 500) throw error;
      return { text: refusalText(refusal), code: refusal.code };
    }
  }
}

function mayCall({ scopes }: Caller, { scope }: Tool): boolean {
  return scope === undefined || (scopes as ReadonlySet<string>).has(scope);
}

function listed({ name, description, hints, arguments: declared, result }: Tool): object {
  const words = name.replaceAll('_', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const annotations = { title, ...hints };
  return { name, title, description, inputSchema: schemaOf(declared), outputSchema: result, annotations };
}
