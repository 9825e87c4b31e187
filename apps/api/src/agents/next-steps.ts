import type { ApiError } from '@petstore/http-server';
import { toSnakeCase } from './results.js';

/** What a model does about an error, by its code, as its message goes on. */
const NEXT_STEPS: Readonly<Partial<Record<string, string>>> = {
  validation_failed: 'Correct the arguments and call the tool again.',
  invalid_parameter: 'Correct the arguments and call the tool again.',
  invalid_cursor: 'Call the tool again without cursor.',
  insufficient_scope: 'Tell the person that this key may not do it; its operator can give it the scope.',
  pet_not_found: 'Use search_animals to find one.',
  order_not_found: 'Use list_orders to see those of this key.',
  pet_not_available: 'Use search_animals to find one that is available.',
  pet_held_by_order: 'End the order first: cancel_order, or decide_order by the staff of the shelter.',
  invalid_status_transition: 'Read its status with get_animal.',
  invalid_order_transition: 'Read its status with get_order.',
  order_limit_reached: 'End one with cancel_order, or wait until one has ended.',
  idempotency_in_progress: 'Call the tool again in a second, with the same arguments.',
  idempotency_key_reused: 'Send another idempotency_key for another call.',
  position_gone:
    'Search the animals anew with search_animals, and call list_changes without after for the position of now.',
};

/** An error that a model can fix, as the text of a result. */
export function refusalText({ code, message }: ApiError): string {
  // It names the filters of a list.
  const said = code === 'invalid_cursor' ? message.replace(/\b[a-z]+[A-Z]\w*/g, toSnakeCase) : message;
  return [`${code}: ${said}`, NEXT_STEPS[code] ?? []].flat().join(' ');
}
