/**
 * What a visitor has chosen, in the page's address behind `#`: `#adoptable-size=small&adoptable-animal=42`. Other parts
 * stay as they are, those of another element and of a program of the page.
 */
export class Address {
  #prefix;
  #names;
  #isUsed;
  /** In place of the address, where it is left alone. */
  #own = '';

  /** @param names what is kept there */
  constructor(prefix, names, isUsed) {
    this.#prefix = `${encodeURIComponent(prefix)}-`;
    this.#names = names;
    this.#isUsed = isUsed;
  }

  get isUsed() {
    return this.#isUsed;
  }

  get #hash() {
    return this.#isUsed ? location.hash.slice(1) : this.#own;
  }

  /** Values by name. */
  read() {
    return Object.fromEntries(this.#parts().flatMap(({ name, value }) => (name ? [[name, value]] : [])));
  }

  /** The address of this page with these values. */
  urlWith(values) {
    const others = this.#parts().flatMap(({ name, part }) => (name ? [] : [part]));
    const own = this.#names
      .filter((name) => values[name])
      .map((name) => `${this.#prefix}${name}=${encodeURIComponent(values[name]).replaceAll('%2C', ',')}`);
    const url = new URL(location.href);
    url.hash = [...others, ...own].join('&');
    return url;
  }

  /** Writes the values as a new entry of the history, so that Back leads to those before; or in place of this one. */
  write(values, isNew = true) {
    const url = this.urlWith(values);
    if (!this.#isUsed) this.#own = url.hash.slice(1);
    else if (url.href !== location.href)
      try {
        // What a program of the page keeps there stays.
        history[isNew ? 'pushState' : 'replaceState'](history.state, '', url);
      } catch {
        // A page within a page that may not: there it is not kept.
      }
  }

  /** The parts of the address; those of this element have a name. */
  #parts() {
    const parts = this.#hash.split('&').filter(Boolean);
    return parts.map((part) => {
      const [start, ...rest] = part.split('=');
      const name = start.startsWith(this.#prefix) && start.slice(this.#prefix.length);
      return this.#names.includes(name) ? { part, name, value: decoded(rest.join('=')) } : { part };
    });
  }
}

/** A text that is no escape of one stays as it is: it is no choice then. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
