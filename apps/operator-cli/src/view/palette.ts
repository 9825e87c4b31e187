import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Paints text for a person at a terminal; leaves it alone for everybody else. */
export type Palette = (style: Style, text: string) => string;

export function palette({ colour }: { readonly colour: boolean }): Palette {
  return (style, text) => (colour ? styleText(style, text) : text);
}
