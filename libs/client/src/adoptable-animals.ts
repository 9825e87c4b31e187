/** Attributes of `<adoptable-animals>`, which the service serves for pages: docs/guide/show-animals.md. */
export interface AdoptableAnimalsAttributes {
  /** A publishable key. */
  'api-key': string;
  service?: string;
  category?: string;
  status?: 'available' | 'pending' | 'sold';
  limit?: number | string;
  link?: string;
  lang?: string;
  details?: boolean | '';
  address?: 'none';
  /** Seconds; 0 is never. */
  refresh?: number | string;
  /** Names of filters with blanks between them. */
  filters?: string;
  'species-choices'?: string;
  species?: string;
  breed?: string;
  sex?: string;
  'age-group'?: string;
  size?: string;
  'good-with'?: string;
  text?: string;
  name?: string;
}

/** The element with what every element has, for the JSX of a framework. */
export interface AdoptableAnimalsElements {
  'adoptable-animals': AdoptableAnimalsAttributes & {
    id?: string;
    class?: string;
    className?: string;
    style?: unknown;
    slot?: string;
    children?: unknown;
  };
}

/** What `load` tells: how many animals it brought. */
export interface AdoptableAnimalsLoad {
  readonly count: number;
}

/** What `error` tells; without a response `code` is `network_error` and `status` 0. */
export interface AdoptableAnimalsError {
  readonly code: string;
  readonly status: number;
  readonly requestId: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'adoptable-animals': HTMLElement;
  }
  // Where compilers look for elements of JSX; it has no other form.
  // oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface IntrinsicElements extends AdoptableAnimalsElements {}
  }
}
