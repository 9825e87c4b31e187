/** How secrets of endpoints are kept: nothing that is read from the database alone opens one. */
export interface SecretSealing {
  seal(secret: string): Buffer;
}

/** Injection token of {@link SecretSealing}. */
export const SECRET_SEALING = Symbol('SecretSealing');
