import type { OpenAPIObject } from '@nestjs/swagger';
import { stringify as losslessStringify } from 'lossless-json';

/** The document as text, with sorted keys, so that differences read well, and int64 bounds digit for digit. */
export function openApiJson(document: OpenAPIObject): string {
  return `${losslessStringify(sorted(document), undefined, 2) ?? ''}\n`;
}

/** The same as YAML 1.2. */
export async function openApiYaml(document: OpenAPIObject): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(sorted(document), { lineWidth: 110, aliasDuplicateObjects: false });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
