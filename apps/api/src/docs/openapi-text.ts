import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { REVALIDATED } from './docs-files.js';
import { KeptContent } from './kept-content.js';
import { openApiJson, openApiYaml } from './openapi-writer.js';

/**
 * The document as it is served. It can only be made when every route is known, and is at the first request; all
 * requests meanwhile wait for the same one.
 */
@Injectable()
export class OpenApiText {
  private make: (() => Promise<OpenAPIObject>) | undefined;
  private document: Promise<OpenAPIObject> | undefined;
  private jsonText: Promise<KeptContent> | undefined;
  private yamlText: Promise<KeptContent> | undefined;

  /** Call once, when the app is complete. */
  publish(make: () => Promise<OpenAPIObject>): void {
    this.make = make;
  }

  get json(): Promise<KeptContent> {
    return (this.jsonText ??= this.text('application/json', openApiJson));
  }

  get yaml(): Promise<KeptContent> {
    return (this.yamlText ??= this.text('application/yaml; charset=utf-8', openApiYaml));
  }

  private async text(
    mediaType: string,
    write: (document: OpenAPIObject) => string | Promise<string>,
  ): Promise<KeptContent> {
    try {
      const text = await write(await (this.document ??= this.made()));
      return new KeptContent(Buffer.from(text), mediaType, REVALIDATED);
    } catch (error) {
      // What it takes could not be loaded at that moment, such as for want of open files: the next one tries again.
      this.document = this.jsonText = this.yamlText = undefined;
      throw error;
    }
  }

  private made(): Promise<OpenAPIObject> {
    if (this.make === undefined) throw new Error('The app is not complete yet.');
    return this.make();
  }
}
