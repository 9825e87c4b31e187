import { ApiError } from '@petstore/http-server';
import { foldedText, type Page as StoredPage, PageLimit } from '@petstore/pet-domain';
import { encodeValue, type LinkBuilder, type LinkParameters } from '../operations/link-builder.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import type { Page } from '../operations/responses.js';
import { Cursor } from './cursor.js';
import { listed, memberOf, type QueryParameter } from './query-parameters.js';

/** Most bytes that all texts of a search have together, percent-encoded: links must fit what proxies take. */
const MAX_TEXT_BYTES = 3_200;

/** What a list is: its operation's query, its cursors, its links and what is said of them follow. */
export interface ListOptions<P extends QueryParameters> {
  /** Below the base of the API; an id in it stands in braces. */
  readonly path: string;
  /** What it holds, as people read it: "animals". */
  readonly what: string;
  /** The resource in the path, if there is one: "webhook". */
  readonly of?: string;
  /** In the order of the document. */
  readonly parameters: P;
}

export type QueryParameters = Readonly<Record<string, QueryParameter>>;

type ValueOf<P> = P extends QueryParameter<infer Value, infer _Role> ? Value : never;
type IdOf<P> = P extends { readonly cursor: QueryParameter<Cursor<infer Id>, 'place'> } ? Id : never;
type FilterNames<P extends QueryParameters> = {
  readonly [Name in keyof P]: P[Name] extends QueryParameter<unknown, 'filter'> ? Name : never;
}[keyof P];

/** The parsed query of a list; what was not sent is not there. */
export type QueryOf<P extends QueryParameters> = {
  readonly [Name in keyof P]?: ValueOf<P[Name]> | undefined;
};

/** The filters of a query. */
export type FiltersOf<P extends QueryParameters> = Pick<QueryOf<P>, FilterNames<P>>;

/** A page that is asked for. */
export interface ListRequest<P extends QueryParameters> {
  /** For the store: which items, how many, behind which one. */
  readonly page: FiltersOf<P> & { readonly limit: number; readonly before: IdOf<P> | undefined };
  /** The page as it is returned, with its links. */
  respond: (page: StoredPage<IdOf<P>>, links: LinkBuilder) => Page;
}

/**
 * A list, declared once (docs/contract.md, "Lists"). A cursor belongs to the path and to all filters as they were parsed, in
 * whatever order and spelling they are sent; links have the values as they were sent.
 */
export class List<const P extends QueryParameters> {
  /** What handlers take: `class ListPetsQuery extends PET_LIST.Query {}`. */
  readonly Query: new () => QueryOf<P>;
  /** The names of its filters. */
  readonly filters: readonly (FilterNames<P> & string)[];
  private readonly names: readonly string[];
  private readonly texts: readonly string[];

  constructor(private readonly options: ListOptions<P>) {
    const all = Object.entries<QueryParameter>(options.parameters);
    const named = (has: (parameter: QueryParameter) => boolean): string[] =>
      all.filter(([, parameter]) => has(parameter)).map(([name]) => name);
    this.filters = named(({ role }) => role === 'filter') as (FilterNames<P> & string)[];
    this.names = all.map(([name]) => name);
    this.texts = named(({ role, value: { kind } }) => role === 'filter' && kind === 'text');
    // oxlint-disable-next-line typescript/no-extraneous-class -- its properties are declared below
    class Query {}
    for (const [name, parameter] of all)
      memberOf(parameter, { ...options, filters: this.filters })(Query.prototype, name);
    this.Query = Query;
  }

  /**
   * The page that a query asks for.
   *
   * @param ids in the path, by name
   * @throws {ApiError} `invalid_cursor` for a cursor of another list or other filters; see {@link filtersOf}
   */
  open(query: QueryOf<P>, ids: Readonly<Record<string, string>> = {}): ListRequest<P> {
    const filters = this.filtersOf(query);
    const { limit = PageLimit.DEFAULT, cursor } = query as { limit?: number; cursor?: Cursor<IdOf<P>> };
    const path = this.options.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '');
    const list = path + this.keyOf(query);
    const before = cursor === undefined ? undefined : Cursor.decode(cursor, list);
    if (cursor !== undefined && before === undefined)
      throw new ApiError(OPERATION_ERRORS.invalid_cursor, { message: this.foreignCursor() });
    return {
      page: { ...filters, limit, before },
      respond: ({ json, last, more }, links) => {
        const next = more && last !== undefined ? Cursor.encode(last, list) : undefined;
        const link = links.ofPage(path, this.linkParameters(query), { next, isFirst: before === undefined });
        return { json, link, next };
      },
    };
  }

  /** @throws {ApiError} `invalid_parameter` when the texts are longer together than a link may be */
  filtersOf(query: QueryOf<P>): FiltersOf<P> {
    let bytes = 0;
    for (const name of this.texts) bytes += encodeValue(query[name] ?? '').length;
    if (bytes > MAX_TEXT_BYTES)
      throw new ApiError('invalid_parameter', {
        message: `${this.texts.join(', ')} must have at most ${MAX_TEXT_BYTES} bytes together, percent-encoded.`,
      });
    const filters: Record<string, unknown> = {};
    for (const name of this.filters) if (query[name] !== undefined) filters[name] = query[name];
    return filters as FiltersOf<P>;
  }

  /** What links keep of a query, in the order of the document with a place for the cursor; the usual `limit` is left out. */
  linkParameters(query: QueryOf<P>): LinkParameters {
    const parameters: Record<string, unknown> = {};
    for (const name of this.names) {
      const value: unknown = query[name];
      const isKept =
        this.options.parameters[name]?.role !== 'place' && (name !== 'limit' || value !== PageLimit.DEFAULT);
      parameters[name] = isKept ? value : undefined;
    }
    return parameters;
  }

  /** What two queries have in common when they find the same items: texts in any case, values of a set in any order. */
  private keyOf(query: QueryOf<P>): string {
    let key = '';
    for (const name of this.filters) {
      const value: unknown = query[name];
      if (value !== undefined)
        key += `&${name}=${encodeValue(canonical(value, this.options.parameters[name]))}`;
    }
    return key;
  }

  private foreignCursor(): string {
    const filters = this.filters.length === 0 ? '' : ` with the same ${listed(this.filters)}`;
    return `cursor must be one that this list gave out${filters}. Send the filters that it was given out for, or start again without a cursor.`;
  }
}

function canonical(value: unknown, parameter: QueryParameter | undefined): unknown {
  if (parameter?.value.kind === 'text') return foldedText(String(value));
  return Array.isArray(value) ? value.toSorted() : value;
}
