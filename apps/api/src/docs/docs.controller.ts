import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { fileURLToPath } from 'node:url';
import { WithoutKey } from '@petstore/api-key';
import { OpenApiText } from './openapi-text.js';

const PAGE = fileURLToPath(new URL('../../assets/docs/index.html', import.meta.url));

/** The document of the API and a page to try it from. Needs no key. */
@Controller()
@ApiExcludeController()
@WithoutKey()
export class DocsController {
  constructor(@Inject(OpenApiText) private readonly openApi: OpenApiText) {}

  @Get('docs')
  page(@Res() response: Response): void {
    response.sendFile(PAGE);
  }

  @Get('openapi.json')
  json(@Res() response: Response): void {
    response.type('application/json').send(this.openApi.json);
  }

  @Get('openapi.yaml')
  yaml(@Res() response: Response): void {
    response.type('application/yaml').send(this.openApi.yaml);
  }
}
