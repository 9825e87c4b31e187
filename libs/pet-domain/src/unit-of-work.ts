/**
 * A transaction under way. Stores take it as a parameter; what they change with it is kept together with everything
 * else that is changed with it, or not at all. Made by a {@link UnitOfWork} alone, and of no use after its end.
 */
export abstract class Transaction {
  // Makes the type nominal: no other object can be passed for a transaction.
  private readonly isTransaction = true;
}

/** Carries out changes of several stores as one. The domain owns this port; an adapter implements it. */
export interface UnitOfWork {
  /**
   * Carries out `work` in one transaction, and commits when it resolves. When it rejects, nothing is kept and its
   * error passes unchanged.
   *
   * @param work may be called more than once: a transaction that loses against another one is rolled back and
   * tried again. It changes nothing but through its transaction, and starts no other unit of work.
   * @param turn a name for what `work` locks first. Units of work of one name come one after the other in this process, so
   * that those which wait keep no others from their transactions.
   * @throws {StoreUnavailableError} when the store is unavailable or does not respond in time. Nothing half done is kept; if
   * the answer to the commit was lost, everything may be.
   */
  run<T>(work: (transaction: Transaction) => Promise<T>, turn?: string): Promise<T>;
}
