/** A migration that is never reverted: a mistake is corrected by another one. */
export abstract class ForwardOnly {
  down(): Promise<never> {
    return Promise.reject(new Error('The schema only goes forward: write another migration.'));
  }
}
