/** The TypeScript types of an OpenAPI document, as src/contract.generated.ts holds them. */
export function contractTypes(text: string): Promise<string>;
