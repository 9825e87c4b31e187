import type { OpenAPIObject } from '@nestjs/swagger';
import { openApiJson, openApiYaml } from './openapi-document.js';

/** The document as it is served. It can only be made when every route is known, and is when somebody asks. */
export class OpenApiText {
  private make: (() => Promise<OpenAPIObject>) | undefined;
  private document: Promise<OpenAPIObject> | undefined;
  private jsonText: Promise<string> | undefined;
  private yamlText: Promise<string> | undefined;

  /** Call once, when the app is complete. */
  publish(make: () => Promise<OpenAPIObject>): void {
    this.make = make;
  }

  get json(): Promise<string> {
    return (this.jsonText ??= this.made().then(openApiJson));
  }

  get yaml(): Promise<string> {
    return (this.yamlText ??= this.made().then(openApiYaml));
  }

  private made(): Promise<OpenAPIObject> {
    if (this.make === undefined) throw new Error('The app is not complete yet.');
    return (this.document ??= this.make());
  }
}
