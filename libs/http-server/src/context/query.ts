import { isDecodable } from './percent-escapes.js';

/** The query of a request's target: a `+` is a blank, and of what is no UTF-8 it has replacement characters. */
export class Query extends URLSearchParams {
  constructor(private readonly text: string) {
    super(text);
  }

  /** Which of these parameters have an escape that is none (`%zz`), or one of what is no UTF-8 (`%ff`). */
  malformed(names: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    if (!this.text.includes('%')) return found;
    for (const part of this.text.split('&')) {
      if (!part.includes('%')) continue;
      const [name = ''] = new URLSearchParams(part).keys();
      // Each at most once: an error takes some microseconds to make.
      if (names.includes(name) && !found.has(name) && !isDecodable(part)) found.add(name);
    }
    return found;
  }
}
