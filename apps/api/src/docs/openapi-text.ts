import { Injectable } from '@nestjs/common';
import { JSON_MEDIA_TYPE } from '@petstore/http-server';
import { docsContent, type DocsContent } from './docs-content.js';
import type { OpenApiDocuments } from './openapi-document.js';
import { openApiJson, openApiYaml } from './openapi-writer.js';

/** One of the documents as text. */
interface Form {
  readonly mediaType: string;
  readonly write: (documents: OpenApiDocuments) => string | Promise<string>;
}

/** By the path that each is served under. */
const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['/openapi.json', { mediaType: JSON_MEDIA_TYPE, write: ({ api }) => openApiJson(api) }],
  ['/openapi.yaml', { mediaType: 'application/yaml; charset=utf-8', write: ({ api }) => openApiYaml(api) }],
  // Of the requests that the service sends.
  ['/openapi-webhooks.json', { mediaType: JSON_MEDIA_TYPE, write: ({ webhooks }) => openApiJson(webhooks) }],
]);

/**
 * The documents as they are served. They are made at the first request, when every route is known; concurrent requests
 * share the result.
 */
@Injectable()
export class OpenApiText {
  private make: (() => OpenApiDocuments) | undefined;
  private documents: OpenApiDocuments | undefined;
  private readonly texts = new Map<string, Promise<DocsContent>>();

  /** Call once, when the app is complete. */
  publish(make: () => OpenApiDocuments): void {
    this.make = make;
  }

  /** `undefined` for a path that is none of a document. */
  at(path: string): Promise<DocsContent> | undefined {
    const form = FORMS.get(path);
    const known = this.texts.get(path);
    if (form === undefined || known !== undefined) return known;
    const text = this.write(form);
    this.texts.set(path, text);
    // A module could not be loaded, for lack of open files for example: the next request tries again.
    text.catch(() => this.texts.delete(path));
    return text;
  }

  private async write({ mediaType, write }: Form): Promise<DocsContent> {
    if (this.make === undefined) throw new Error('The app is not complete yet.');
    this.documents ??= this.make();
    return docsContent(Buffer.from(await write(this.documents)), mediaType);
  }
}
