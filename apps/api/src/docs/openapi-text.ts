import { Injectable } from '@nestjs/common';
import { entityTag, JSON_MEDIA_TYPE } from '@petstore/http-server';
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

/** The paths of the documents. */
export const OPENAPI_PATHS: readonly string[] = [...FORMS.keys()];

/** A document as it is served. */
interface ServedText {
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** Weak: of the text in each content coding. */
  readonly tag: string;
}

/**
 * The documents as they are served. They are made at the first request, when every route is known; concurrent requests
 * share the result.
 */
@Injectable()
export class OpenApiText {
  private make: (() => OpenApiDocuments) | undefined;
  private documents: OpenApiDocuments | undefined;
  private readonly texts = new Map<string, Promise<ServedText>>();

  /** Call once, when the app is complete. */
  publish(make: () => OpenApiDocuments): void {
    this.make = make;
  }

  /** @param path one of {@link OPENAPI_PATHS} */
  at(path: string): Promise<ServedText> {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    const text = this.write(path);
    this.texts.set(path, text);
    // A module could not be loaded, for lack of open files for example: the next request tries again.
    text.catch(() => this.texts.delete(path));
    return text;
  }

  private async write(path: string): Promise<ServedText> {
    const form = FORMS.get(path);
    if (this.make === undefined || form === undefined) throw new Error(`There is no document at ${path}.`);
    this.documents ??= this.make();
    const bytes = Buffer.from(await form.write(this.documents));
    return { mediaType: form.mediaType, bytes, tag: `W/${entityTag(bytes)}` };
  }
}
