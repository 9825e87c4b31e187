import { readFile } from 'node:fs/promises';

/** A document of the folder `docs`. */
export function committed(name: string): Promise<string> {
  return readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
}

/** The references of a document to what it does not have. */
export function unresolvedReferences(text: string): string[] {
  const whole: unknown = JSON.parse(text);
  const isResolved = (pointer: string): boolean =>
    pointer
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], whole) !== undefined;
  return [...text.matchAll(/"\$ref": "#\/([^"]+)"/g)]
    .map(([, pointer = '']) => pointer)
    .filter((pointer) => !isResolved(pointer));
}
