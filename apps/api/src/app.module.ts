import { type DynamicModule, Module } from '@nestjs/common';
import { CategoriesModule } from './categories/categories.module.js';
import { DocsModule } from './docs/docs.module.js';
import { EventsModule } from './events/events.module.js';
import { settingsProviders, type Configuration } from './configuration/configuration.js';
import { HealthModule, ManagementListenerModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { type Log, LOG } from './logging/log.js';
import { McpModule } from './mcp/mcp.module.js';
import { type Clock, CLOCK } from './operations/sunset.interceptor.js';
import { OperationsModule } from './operations/operations.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { InventoryModule, PetsModule } from './pets/pets.module.js';
import { DATABASE_SERVER, type DatabaseServer } from './storage/database-server.js';
import { UsageModule } from './keys/usage.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** What exists before Nest starts. */
export interface AppOptions {
  readonly configuration: Configuration;
  readonly log: Log;
  /** The database server. Its starter stops it, after the application has closed. */
  readonly server: DatabaseServer;
  /** The system clock unless given. */
  readonly now?: Clock | undefined;
}

/** The service: its modules, and for all of them what exists before Nest starts. */
@Module({
  imports: [
    OperationsModule,
    HttpModule,
    DocsModule,
    HealthModule,
    ManagementListenerModule,
    // The resources, in the order of the document.
    PetsModule,
    CategoriesModule,
    OrdersModule,
    InventoryModule,
    EventsModule,
    UsageModule,
    WebhooksModule,
    McpModule,
  ],
})
export class AppModule {
  static forRoot(options: AppOptions): DynamicModule {
    const { configuration, log, server, now = Date.now } = options;
    const providers = [
      ...settingsProviders(configuration),
      { provide: LOG, useValue: log },
      { provide: DATABASE_SERVER, useValue: server },
      { provide: CLOCK, useValue: now },
    ];
    return { module: AppModule, global: true, providers, exports: providers };
  }
}
