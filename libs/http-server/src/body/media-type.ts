const PARAMETER = /^[\t ]*([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([\w!#$%&'*+.^`|~-]+))[\t ]*$/;

/** Longest Content-Type field that is looked at, in characters; clients send a tenth of it. */
const LONGEST = 256;

/**
 * Whether a Content-Type field says `application/json`, in UTF-8 or without saying so (RFC 8259, section 8.1;
 * RFC 9110, section 8.3). Parameters beside `charset` are ignored, but must have the form of one.
 */
export function isJsonMediaType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined || contentType.length > LONGEST) return false;
  const [mediaType = '', ...parameters] = contentType.split(';');
  return mediaType.trim().toLowerCase() === 'application/json' && parameters.every(isAcceptable);
}

function isAcceptable(parameter: string): boolean {
  if (parameter.trim() === '') return true;
  const [, name = '', quoted, token] = PARAMETER.exec(parameter) ?? [];
  return name !== '' && (name.toLowerCase() !== 'charset' || /^utf-?8$/i.test(quoted ?? token ?? ''));
}
