import { stringify as losslessStringify } from 'lossless-json';

/**
 * A document, or a part of one, as text, int64 bounds digit for digit. Members are in the order of their declaration, from
 * which generators derive the order of parameters, fields and constructor arguments.
 */
export function openApiJson(document: object): string {
  return `${losslessStringify(document, undefined, 2) ?? ''}\n`;
}

/** The same as YAML 1.2. What a parser of YAML 1.1 would take for a time or a truth value is quoted. */
export async function openApiYaml(document: object): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { lineWidth: 110, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}
