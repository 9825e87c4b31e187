/**
 * Where a page of the guide is served, beside the API.
 *
 * @param baseUrl of the API: `/v1`, or an absolute URL that ends in it
 * @param page its name, with an anchor where there is one
 */
export function guideAddress(baseUrl: string, page: string): string {
  return baseUrl.replace(/\/v1$/, `/docs/guide/${page}`);
}
