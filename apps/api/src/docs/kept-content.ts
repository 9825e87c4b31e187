import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { entityTag } from '@petstore/http-server';

/** The forms in which the docs are kept: as they are, and compressed. */
export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** Nearly as small as at the highest quality, at a thirtieth of its time: 0.1 s for the largest file. */
const BROTLI_QUALITY = 9;

const compress: Readonly<Record<Exclude<ContentEncoding, 'identity'>, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** What of a content goes over the wire. */
export interface Representation {
  readonly bytes: Buffer;
  readonly encoding: ContentEncoding;
  /** Strong, and so another one for each encoding (RFC 9110, section 8.8.3.3). */
  readonly tag: string;
}

/**
 * One file of the docs, in memory. Each compressed form is made once, outside of the event loop, when a client first
 * accepts it; concurrent requests share the result.
 */
export class KeptContent {
  private readonly forms = new Map<ContentEncoding, Promise<Representation>>();
  private readonly tag: string;

  constructor(
    private readonly bytes: Buffer,
    readonly mediaType: string,
    readonly cacheControl: string,
  ) {
    this.tag = entityTag(bytes);
  }

  as(encoding: ContentEncoding): Promise<Representation> {
    let form = this.forms.get(encoding);
    if (form === undefined) {
      form = this.make(encoding);
      this.forms.set(encoding, form);
    }
    return form;
  }

  private async make(encoding: ContentEncoding): Promise<Representation> {
    const { bytes, tag } = this;
    if (encoding === 'identity') return { bytes, encoding, tag };
    try {
      const compressed = await compress[encoding](bytes);
      return { bytes: compressed, encoding, tag: tag.replace(/"$/, `-${encoding}"`) };
    } catch (error) {
      // Not enough memory at that moment: the next request tries again.
      this.forms.delete(encoding);
      throw error;
    }
  }
}

/** In characters, more than any browser sends: a longer field is ignored. */
const MAX_FIELD_LENGTH = 256;

/** One item of the list: a coding and, at most, its weight (RFC 9110, sections 12.4.2 and 12.5.3). */
const ITEM = /^[\t ]*([\w.*-]{1,32})[\t ]*(?:;[\t ]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/;

/**
 * The encoding to respond with (RFC 9110, section 12.5.3): the one with the highest weight, on a tie the smallest.
 * Malformed items are ignored. A client that refuses everything gets the content as it is, which the RFC allows.
 *
 * @param field `Accept-Encoding` as sent
 */
export function acceptedEncoding(field: string | undefined): ContentEncoding {
  if (field === undefined || field.length > MAX_FIELD_LENGTH) return 'identity';
  const weights = new Map<string, number>();
  for (const item of field.split(',')) {
    const [, coding, weight = '1'] = ITEM.exec(item) ?? [];
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight));
  }
  const others = weights.get('*') ?? 0;
  const brotli = weights.get('br') ?? others;
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? others;
  // Acceptable unless refused, and preferred only if it is named.
  const identity = weights.get('identity') ?? 0;
  if (brotli > 0 && brotli >= gzip && brotli >= identity) return 'br';
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}
