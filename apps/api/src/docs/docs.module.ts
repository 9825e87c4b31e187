import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { Docs, DOCS_OPTIONS, type DocsOptions } from './docs.middleware.js';
import { OpenApiText } from './openapi-text.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<DocsOptions>()
  .setClassMethodName('forRoot')
  .build();

/** The docs page, its files, and the OpenAPI document. */
@Module({
  providers: [OpenApiText, Docs, { provide: DOCS_OPTIONS, useExisting: MODULE_OPTIONS_TOKEN }],
  exports: [OpenApiText, Docs],
})
export class DocsModule extends ConfigurableModuleClass {}
