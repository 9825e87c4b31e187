/** The forms in which the docs are kept: as they are, and compressed. */
export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** Longer than what any browser sends, in characters: a longer field is not looked at. */
const MAX_FIELD_LENGTH = 256;

/** One item of the list: a coding and, at most, its weight (RFC 9110, sections 12.4.2 and 12.5.3). */
const ITEM = /^[\t ]*([\w.*-]{1,32})[\t ]*(?:;[\t ]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[\t ]*)?$/;

/**
 * The encoding to respond with (RFC 9110, section 12.5.3): the one with the highest weight, on a tie the
 * smallest. Items that are not well-formed do not count. A client that refuses everything gets the content as
 * it is, which the RFC allows.
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
  // Always acceptable unless refused, and preferred only by those who say so.
  const identity = weights.get('identity') ?? 0;
  if (brotli > 0 && brotli >= gzip && brotli >= identity) return 'br';
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}
