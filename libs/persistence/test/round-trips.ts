import { Connection } from 'pg';

/** How often something is written to the database while `work` runs: each Sync ends a round trip. */
export async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = Connection as unknown as { readonly prototype: { sync: (this: object) => void } };
  const { sync } = prototype;
  let syncs = 0;
  prototype.sync = function (this: object) {
    syncs++;
    sync.call(this);
  };
  try {
    await work();
  } finally {
    prototype.sync = sync;
  }
  return syncs;
}
