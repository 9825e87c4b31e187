import { decimal, defineSettings, settings, type SettingsOf, wholeNumber } from '../settings/settings.js';

/** Adoption orders. */
export const ORDER_SETTINGS = defineSettings('orders', {
  orderHoldHours: decimal('hours', 0.001, 720).prefault('72').register(settings, {
    variable: 'ORDER_HOLD_HOURS',
    meaning: 'Hours until an order that is placed and not approved expires.',
  }),
  orderPickupHours: decimal('hours', 0.001, 2_160).prefault('336').register(settings, {
    variable: 'ORDER_PICKUP_HOURS',
    meaning: 'Hours until an order that is approved and not delivered expires.',
  }),
  maxOpenOrdersPerKey: wholeNumber(1, 1_000_000).prefault('100').register(settings, {
    variable: 'MAX_OPEN_ORDERS_PER_KEY',
    meaning: 'Most orders of one key that are placed or approved.',
  }),
});

export type OrderSettings = SettingsOf<typeof ORDER_SETTINGS>;
