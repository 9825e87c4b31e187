import { defineSettings, settingWithDefault } from '../setting.js';
import { decimal, wholeNumber } from '../value-types.js';

/** Adoption orders. */
export const ORDER_SETTINGS = defineSettings({
  orderHoldHours: settingWithDefault({
    variable: 'ORDER_HOLD_HOURS',
    meaning: 'Hours until an order that is placed and not approved expires.',
    allowed: 'hours from 0.001 to 720',
    fallback: '72',
    schema: decimal(0.001, 720),
  }),
  orderPickupHours: settingWithDefault({
    variable: 'ORDER_PICKUP_HOURS',
    meaning: 'Hours until an order that is approved and not delivered expires.',
    allowed: 'hours from 0.001 to 2160',
    fallback: '336',
    schema: decimal(0.001, 2_160),
  }),
  maxOpenOrdersPerKey: settingWithDefault({
    variable: 'MAX_OPEN_ORDERS_PER_KEY',
    meaning: 'Most orders of one key that are placed or approved.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '100',
    schema: wholeNumber(1, 1_000_000),
  }),
});
