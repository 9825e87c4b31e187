import { styleText } from 'node:util';

/** The styles in use. */
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Styles text for a person at a terminal; returns it unchanged for all other readers. */
export type Palette = (style: Style, text: string) => string;

export function palette({ colour }: { readonly colour: boolean }): Palette {
  if (!colour) return (_, text) => text;
  // Whether the terminal shows colours was decided by the caller, not by the state of process.stdout.
  return (style, text) => styleText(style, text, { validateStream: false });
}
