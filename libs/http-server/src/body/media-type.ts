const PARAMETER = /^[\t ]*([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([\w!#$%&'*+.^`|~-]+))[\t ]*$/;

/** Longest Content-Type field that is looked at, in characters; clients send a tenth of it. */
const LONGEST = 256;

/**
 * Whether a Content-Type field says one of `mediaTypes`, in UTF-8 or without saying so (RFC 8259, section 8.1;
 * RFC 9110, section 8.3). Parameters beside `charset` are ignored, but must have the form of one.
 *
 * @param mediaTypes in lower case, without parameters
 */
export function isOfMediaType(contentType: string | undefined, mediaTypes: readonly string[]): boolean {
  if (contentType === undefined || contentType.length > LONGEST) return false;
  if (mediaTypes.includes(contentType)) return true;
  const [mediaType = '', ...parameters] = contentType.split(';');
  return mediaTypes.includes(mediaType.trim().toLowerCase()) && parameters.every(isAcceptable);
}

function isAcceptable(parameter: string): boolean {
  if (parameter.trim() === '') return true;
  const [, name = '', quoted, token] = PARAMETER.exec(parameter) ?? [];
  return name !== '' && (name.toLowerCase() !== 'charset' || /^utf-?8$/i.test(quoted ?? token ?? ''));
}
