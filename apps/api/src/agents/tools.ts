import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import type { Members } from '@petstore/pet-domain';
import { PetInventoryStore } from '@petstore/persistence';
import { API_KEY_ERRORS } from '../access/access.errors.js';
import { CategoriesService } from '../categories/categories.service.js';
import { EventsService } from '../events/events.service.js';
import { toApiError } from '../http/error-mapper.js';
import { OrdersService } from '../orders/orders.service.js';
import { PetsService } from '../pets/pets.service.js';
import { UsageService } from '../keys/usage.service.js';
import { animalChangeTools } from './animal-changes.tools.js';
import { animalTools } from './animals.tools.js';
import { readArguments } from './arguments.js';
import { refusalText } from './next-steps.js';
import { orderTools } from './orders.tools.js';
import { shelterTools } from './shelter.tools.js';
import { listed, type Tool } from './tool.js';
import { usageTools } from './usage.tools.js';

/** What a call has come to: a result, or an error that a model can fix, with the code of the same error over HTTP. */
export type ToolOutcome = { readonly result: object } | { readonly text: string; readonly code: string };

/** Every tool of the service, whatever protocol they are called by. */
@Injectable()
export class Tools {
  private readonly tools: ReadonlyMap<string, Tool & { readonly listed: object }>;

  /** @throws Error when two tools have one name */
  constructor(
    pets: PetsService,
    categories: CategoriesService,
    inventory: PetInventoryStore,
    events: EventsService,
    orders: OrdersService,
    usage: UsageService,
  ) {
    // In the order in which they are listed.
    const all = [
      ...animalTools(pets),
      ...shelterTools(categories, inventory, events),
      ...animalChangeTools(pets),
      ...orderTools(orders),
      ...usageTools(usage),
    ];
    this.tools = new Map(all.map((tool) => [tool.name, { ...tool, listed: listed(tool) }]));
    if (this.tools.size < all.length) throw new Error('Two tools have one name.');
  }

  has(name: string): boolean {
    return this.tools.has(name);
  }

  /** What a call is in the log, in metrics and in traces, and among requests with an idempotency key. */
  operationOf(tool: string): string {
    return `mcp.${tool}`;
  }

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
      const given = readArguments(tool.arguments, sent);
      const token = (given as Members)['idempotencyKey'] as string | undefined;
      const key =
        token === undefined ? token : { caller: caller.keyId, token, operation: this.operationOf(name) };
      return { result: await tool.run(given, caller, key) };
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
