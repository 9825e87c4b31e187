import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { LimitsModule } from '../access/access.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { OriginMiddleware } from './origin.middleware.js';
import { MCP_PATH } from '../paths.js';
import { McpController } from './mcp.controller.js';
import { Protocol } from './protocol.js';

/** The Model Context Protocol, by which assistants call the tools. */
@Module({ imports: [AgentsModule, LimitsModule], controllers: [McpController], providers: [Protocol] })
export class McpModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(OriginMiddleware).forRoutes({ path: MCP_PATH, method: RequestMethod.POST });
  }
}
