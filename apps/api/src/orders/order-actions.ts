import { HTTP_ERRORS } from '@petstore/http-kernel';
import { ORDER_TRANSITIONS, type OrderAction, targetOf } from '@petstore/order-domain';
import type { OperationDeclaration, Parameter, RequestBody } from '../operations/operation.js';
import { OrderReasonDto } from './order.dto.js';
import { ORDER_ERRORS } from './order.errors.js';

/** What an operation does to an order, in words; the rest comes from the table of orders. */
interface ActionDeclaration {
  readonly action: OrderAction;
  readonly path: string;
  readonly summary: string;
  readonly orderId: Parameter;
  /** Whether the body, which may be missing, can give a reason. */
  readonly takesReason: boolean;
  /** An order as it is afterwards. */
  readonly example: object;
}

const REASON: RequestBody = {
  dto: OrderReasonDto,
  isOptional: true,
  description: 'Why; may be left out, and then no `Content-Type` is needed. Unknown members are ignored.',
  examples: { reason: { summary: 'With a reason.', value: { reason: 'The family has moved away.' } } },
};
const REASON_ERRORS = [
  HTTP_ERRORS.invalid_json,
  HTTP_ERRORS.validation_failed,
  HTTP_ERRORS.payload_too_large,
  HTTP_ERRORS.unsupported_media_type,
];

/** The operation that carries out an action on an order. */
export function orderAction({
  action,
  path,
  summary,
  orderId,
  takesReason,
  example,
}: ActionDeclaration): OperationDeclaration {
  const lines = ORDER_TRANSITIONS.filter((transition) => transition.action === action);
  const isForManagers = lines.every(({ actors }) => !actors.includes('owner'));
  const from = lines.map((line) => `\`${line.from ?? ''}\``).join(' or ');
  const to = targetOf(action);
  const pet = lines.find((line) => line.pet !== undefined)?.pet;
  const effect = pet === undefined ? '' : ` The animal becomes \`${pet.to}\`.`;
  return {
    id: `${action}Order`,
    method: 'POST',
    path: `${path}/${action}`,
    summary,
    description: `Takes an order from ${from} to \`${to}\`.${effect} To repeat the request is safe: an order that is \`${to}\` already is returned as it is.`,
    since: '1.1.0',
    scope: isForManagers ? 'orders:manage' : 'orders:write',
    pathParameters: [orderId],
    ...(takesReason && { body: REASON }),
    success: { status: 200, description: 'The order after the action.', schema: 'Order', example },
    errors: [
      ...(takesReason ? REASON_ERRORS : []),
      HTTP_ERRORS.bad_request,
      ORDER_ERRORS.order_not_found,
      ORDER_ERRORS.invalid_order_transition,
    ],
  };
}
