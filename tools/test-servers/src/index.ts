export { launchChromium } from './chromium.js';
export { COLLECTS_GARBAGE } from './collects-garbage.js';
export { putDatabase } from './database-template.js';
export { EMPTY_TABLES } from './empty-tables.js';
export { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.js';
export { freePort } from './free-port.js';
export { InstalledPostgres } from './installed-postgres.js';
export { memoryFolder } from './memory-folder.js';
export { MovableAddress } from './movable-address.js';
export { NodeProgram } from './node-program.js';
export { ALL_SCOPES, type PetStoreProcess, startPetStore, UNLIMITED } from './pet-store-process.js';
export {
  type ReplicatedPostgres,
  startMigratedPostgres,
  startReplicatedPostgres,
  startTestPostgres,
  type TestPostgres,
} from './postgres.js';
export { makeSharedFolder, WORKSPACE_CACHE } from './shared-folder.js';
export { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';
export { type Received, Receiver, type Respond } from './receiver.js';
export { startProxy, type TestProxy } from './proxy.js';
export { startRedis, startRedisSentinel, type TestRedis } from './redis.js';
export { startRedisCluster, type TestRedisCluster } from './redis-cluster.js';
