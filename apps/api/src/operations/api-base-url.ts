/** Injection token of the address of the API: `/v1`, or an absolute URL that ends in it. */
export const API_BASE_URL = Symbol('API_BASE_URL');
