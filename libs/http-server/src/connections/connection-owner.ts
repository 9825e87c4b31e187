/** Who keeps account of connections and of the requests that wait on them. */
export interface ConnectionOwner<Member> {
  setBusy(connection: Member): void;
  setIdle(connection: Member): void;
  remove(connection: Member): void;
  /** Counts a request that waits. @returns whether it may, on a connection that has many or few of them */
  mayWait(hasMany: boolean): boolean;
  forgetWaiting(count: number): void;
}
