import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ACCESS_SETTINGS, type AccessSettings } from '../access/access.settings.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { API_BASE_PATH } from '../paths.js';
import { DOCS_SETTINGS, type DocsSettings } from './docs.settings.js';

type Server = NonNullable<OpenAPIObject['servers']>[number];

/**
 * What the served document says of environments (docs/contract.md, "Versions"): this instance, and the others that the
 * operator has named.
 */
@Injectable()
export class InstanceDescription {
  /** This instance first. */
  readonly servers: readonly Server[];
  /** The docs page, beside the base of the API. */
  readonly externalDocs: { readonly description: string; readonly url: string };
  /** The contact for consumers; `undefined` when the operator has set none. */
  readonly contact: { readonly email: string } | { readonly url: string } | undefined;
  /** Origins of the servers, as far as they are absolute: the docs page may call them. */
  readonly origins: readonly string[];

  constructor(
    links: LinkBuilder,
    @Inject(ACCESS_SETTINGS.KEY) { environment }: AccessSettings,
    @Inject(DOCS_SETTINGS.KEY) { productionBaseUrl, stagingBaseUrl, apiContact }: DocsSettings,
  ) {
    const own = links.to('');
    const others = [
      { url: productionBaseUrl, description: 'Production' },
      { url: stagingBaseUrl, description: 'Staging' },
    ].flatMap(({ url, description }) => (url === undefined || url === own ? [] : [{ url, description }]));
    this.servers = [{ url: own, description: `This instance (${environment})` }, ...others].map((server) => ({
      ...server,
      // Meant for consumers.
      'x-internal': false,
    }));
    this.externalDocs = {
      description: 'The docs page, where every operation can be tried.',
      url: `${own.slice(0, -API_BASE_PATH.length)}/docs`,
    };
    this.contact = apiContact === undefined ? undefined : contactOf(apiContact);
    this.origins = [
      ...new Set(this.servers.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).origin] : []))),
    ];
  }
}

function contactOf(text: string): { readonly email: string } | { readonly url: string } {
  return URL.canParse(text) ? { url: text } : { email: text };
}
