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
  private readonly texts = new Map<string, Promise<KeptContent>>();

  /** Call once, when the app is complete. */
  publish(make: () => OpenApiDocuments): void {
    this.make = make;
  }

  get json(): Promise<KeptContent> {
    return this.text('json', JSON_MEDIA_TYPE, ({ api }) => openApiJson(api));
  }

  get yaml(): Promise<KeptContent> {
    return this.text('yaml', 'application/yaml; charset=utf-8', ({ api }) => openApiYaml(api));
  }

  /** The document of the requests that the service sends, as JSON. */
  get webhooks(): Promise<KeptContent> {
    return this.text('webhooks', JSON_MEDIA_TYPE, ({ webhooks }) => openApiJson(webhooks));
  }

  private text(name: string, mediaType: string, write: Write): Promise<KeptContent> {
    const kept = this.texts.get(name);
    if (kept !== undefined) return kept;
    const text = this.write(mediaType, write);
    this.texts.set(name, text);
    // What it takes could not be loaded at that moment, such as for want of open files: the next request tries again.
    text.catch(() => this.texts.delete(name));
    return text;
  }

  private async write(mediaType: string, write: Write): Promise<KeptContent> {
    if (this.make === undefined) throw new Error('The app is not complete yet.');
    this.documents ??= this.make();
    return new KeptContent(Buffer.from(await write(this.documents)), mediaType, REVALIDATED);
  }
}
