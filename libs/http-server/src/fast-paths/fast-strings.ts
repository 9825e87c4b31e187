/** V8 counts how often code is run before it caches what it finds. */
const ENOUGH = 100;

/**
 * Makes the methods of strings as fast as they were before a class was derived from `String`, as ioredis does for
 * a kind of reply. V8 then keeps the methods in a table, because prototypes are often changed while classes are
 * set up, and looks each up anew: `charCodeAt` takes seven times as long, everywhere in the process. It goes back
 * to the fast form when they are reached through an object, which strings are not.
 *
 * To be called once everything is loaded.
 */
export function makeStringMethodsFast(): void {
  const derived = Object.create(String.prototype) as string;
  const reach = (): unknown => derived.length;
  for (let i = 0; i < ENOUGH; i++) reach();
}
