// `node deploy/cluster/down.mjs <folder>`: ends every process of the cluster in that folder, and unmounts its disks. The rest
// of the folder stays.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Cluster, run } from './cluster.mjs';

if (!process.argv[2]) throw new Error('Name the folder that up.mjs has named.');
const folder = resolve(process.argv[2]);
const cluster = new Cluster(folder);
const parts = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
// Who uses another part ends before it.
for (const kind of ['petstore', 'pgbouncer', 'haproxy', 'postgres', 'sentinel', 'redis', 'etcd'])
  await Promise.all(parts.filter((part) => part.split('-')[0] === kind).map((part) => cluster.stop(part)));
// A folder is left where no disk was mounted.
for (const part of parts.filter((name) => name.startsWith('postgres-')))
  await run('umount', [cluster.diskOf(part)]).catch(() => undefined);
