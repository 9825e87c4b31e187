/** A change of the schema that is never taken back: a mistake is put right by another change. */
export abstract class ForwardOnly {
  down(): Promise<never> {
    return Promise.reject(new Error('The schema only goes forward: write another migration.'));
  }
}
