import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { fileURLToPath } from 'node:url';
import { WithoutKey } from '@petstore/api-key';
import { OpenApiText } from './openapi-text.js';
import { Undocumented } from './undocumented.decorator.js';

const PAGE = fileURLToPath(new URL('../../assets/docs/index.html', import.meta.url));

/** The document of the API and a page to try it from. Needs no key. */
@Controller()
@Undocumented()
@WithoutKey()
export class DocsController {
  constructor(@Inject(OpenApiText) private readonly openApi: OpenApiText) {}

  @Get('docs')
  page(@Res() response: Response): void {
    response.sendFile(PAGE);
  }

  @Get('openapi.json')
  async json(@Res() response: Response): Promise<void> {
    response.type('application/json').send(await this.openApi.json);
  }

  @Get('openapi.yaml')
  async yaml(@Res() response: Response): Promise<void> {
    response.type('application/yaml').send(await this.openApi.yaml);
  }
}
