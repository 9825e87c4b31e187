import { Module } from '@nestjs/common';
import { LimitsModule } from '../access/access.module.js';
import { DocsMiddleware } from './docs.middleware.js';
import { InstanceDescription } from './instance-description.js';
import { OpenApiText } from './openapi-text.js';

/** The docs page, its files, and the OpenAPI document. */
@Module({
  imports: [LimitsModule],
  providers: [InstanceDescription, OpenApiText, DocsMiddleware],
  exports: [DocsMiddleware],
})
export class DocsModule {}
