/** Set and reset of each style (ECMA-48, SGR). */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
} as const;

/** Paints text for a person at a terminal; leaves it alone for everybody else. */
export type Palette = (style: keyof typeof STYLES, text: string) => string;

export function palette({ colour }: { readonly colour: boolean }): Palette {
  if (!colour) return (_, text) => text;
  return (style, text) => {
    const [set, reset] = STYLES[style];
    return `\u001b[${set}m${text}\u001b[${reset}m`;
  };
}
