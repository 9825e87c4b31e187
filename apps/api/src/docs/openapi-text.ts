import { Injectable } from '@nestjs/common';
import { JSON_MEDIA_TYPE } from '@petstore/http-server';
import { REVALIDATED } from './docs-files.js';
import { KeptContent } from './kept-content.js';
import type { OpenApiDocuments } from './openapi-document.js';
import { openApiJson, openApiYaml } from './openapi-writer.js';

/** Writes one of the documents. */
type Write = (documents: OpenApiDocuments) => string | Promise<string>;

/**
 * The documents as they are served. They can only be made when every route is known, and are at the first request; all
 * requests meanwhile wait for the same ones.
 */
@Injectable()
export class OpenApiText {
  private make: (() => OpenApiDocuments) | undefined;
  private documents: OpenApiDocuments | undefined;
  private jsonText: Promise<KeptContent> | undefined;
  private yamlText: Promise<KeptContent> | undefined;
  private webhooksText: Promise<KeptContent> | undefined;

  /** Call once, when the app is complete. */
  publish(make: () => OpenApiDocuments): void {
    this.make = make;
  }

  get json(): Promise<KeptContent> {
    return (this.jsonText ??= this.text(JSON_MEDIA_TYPE, ({ api }) => openApiJson(api)));
  }

  get yaml(): Promise<KeptContent> {
    return (this.yamlText ??= this.text('application/yaml; charset=utf-8', ({ api }) => openApiYaml(api)));
  }

  /** The document of the requests that the service sends, as JSON. */
  get webhooks(): Promise<KeptContent> {
    return (this.webhooksText ??= this.text(JSON_MEDIA_TYPE, ({ webhooks }) => openApiJson(webhooks)));
  }

  private async text(mediaType: string, write: Write): Promise<KeptContent> {
    try {
      const text = await write((this.documents ??= this.made()));
      return new KeptContent(Buffer.from(text), mediaType, REVALIDATED);
    } catch (error) {
      // What it takes could not be loaded at that moment, such as for want of open files: the next one tries again.
      this.documents = this.jsonText = this.yamlText = this.webhooksText = undefined;
      throw error;
    }
  }

  private made(): OpenApiDocuments {
    if (this.make === undefined) throw new Error('The app is not complete yet.');
    return this.make();
  }
}
