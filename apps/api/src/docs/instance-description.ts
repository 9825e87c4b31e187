import { Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ACCESS_SETTINGS, type AccessSettings } from '../access/access.settings.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { API_BASE_PATH } from '../paths.js';
import { DOCS_SETTINGS, type DocsSettings } from './docs.settings.js';

/** Members of the document that depend on where it is served, not on the contract. */
export type PlaceInDocument = Required<Pick<OpenAPIObject, 'servers' | 'externalDocs'>>;

type Server = PlaceInDocument['servers'][number];

/** Where the docs page is, beside the base of the API. */
const DOCS_PATH = '/docs';

/**
 * What the served document says of environments (docs/contract.md, "Versions"): this instance, and the others that the
 * operator has named.
 */
@Injectable()
export class InstanceDescription {
  /** This instance first. */
  readonly servers: readonly Server[];
  readonly externalDocs: PlaceInDocument['externalDocs'];
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
    this.servers = [{ url: own, description: `This instance (${environment})` }, ...others].map(serverOf);
    this.externalDocs = docsBeside(own);
    this.contact = apiContact === undefined ? undefined : contactOf(apiContact);
    this.origins = [
      ...new Set(this.servers.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).origin] : []))),
    ];
  }
}

function contactOf(text: string): { readonly email: string } | { readonly url: string } {
  return URL.canParse(text) ? { url: text } : { email: text };
}

/** Says that the server is meant for consumers. */
const PUBLISHED = { 'x-internal': false };

export function serverOf(server: Server): Server {
  return { ...server, ...PUBLISHED };
}

/** The docs page of the instance whose API is at `baseUrl`. */
export function docsBeside(baseUrl: string): PlaceInDocument['externalDocs'] {
  return {
    description: 'The docs page, where every operation can be tried.',
    url: baseUrl.slice(0, -API_BASE_PATH.length) + DOCS_PATH,
  };
}
