import { Module } from '@nestjs/common';
import { Database } from '@petstore/persistence';
import type { Log } from '../logging/log.js';
import { LOG } from '../logging/logging.module.js';
import { DATABASE_SERVER, type DatabaseServer } from './database-server.js';
import { openStorage } from './open-storage.js';

/** Provides the {@link Database}, connected and with its schema up to date. It closes after all that use it. */
@Module({
  providers: [
    {
      provide: Database,
      inject: [DATABASE_SERVER, LOG],
      useFactory: (server: DatabaseServer, log: Log) => openStorage(server, log),
    },
  ],
  exports: [Database],
})
export class StorageModule {}
