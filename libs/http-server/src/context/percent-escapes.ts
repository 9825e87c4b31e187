/** Whether all escapes of a text are escapes, of valid UTF-8 (RFC 3986, section 2.1). */
export function isDecodable(text: string): boolean {
  try {
    // The result is used: the bundler drops a call without a use, although it may throw.
    return typeof decodeURIComponent(text) === 'string';
  } catch {
    return false;
  }
}
