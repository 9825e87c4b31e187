import type { OpenAPIObject } from '@nestjs/swagger';
import { openApiJson, openApiYaml } from './openapi-document.js';

/** The document as it is served. It can only be made when every route is known, after the app is. */
export class OpenApiText {
  private texts: { readonly json: string; readonly yaml: string } | undefined;

  /** Call once, when the app is complete. */
  publish(document: OpenAPIObject): void {
    this.texts = { json: openApiJson(document), yaml: openApiYaml(document) };
  }

  get json(): string {
    return this.published.json;
  }

  get yaml(): string {
    return this.published.yaml;
  }

  private get published(): { readonly json: string; readonly yaml: string } {
    if (this.texts === undefined) throw new Error('The OpenAPI document has not been made yet.');
    return this.texts;
  }
}
