/**
 * <adoptable-animals api-key="pet_pub_live_...">: shows the animals of a shelter in any page.
 *
 * How to use and style it: the guide, "Show animals". It writes no style or script into the page, and reads no text of an
 * animal as markup.
 */

const LANGUAGES = {
  __proto__: null,
  en: {
    more: 'Show more',
    none: 'There are no animals at the moment.',
    female: 'female',
    male: 'male',
    baby: 'baby',
    young: 'young',
    adult: 'adult',
    senior: 'senior',
    small: 'small',
    medium: 'medium-sized',
    large: 'large',
    xlarge: 'very large',
  },
  de: {
    more: 'Mehr zeigen',
    none: 'Zurzeit sind keine Tiere da.',
    female: 'weiblich',
    male: 'männlich',
    baby: 'Jungtier',
    young: 'jung',
    adult: 'erwachsen',
    senior: 'im Seniorenalter',
    small: 'klein',
    medium: 'mittelgroß',
    large: 'groß',
    xlarge: 'sehr groß',
  },
  es: {
    more: 'Mostrar más',
    none: 'Ahora mismo no hay animales.',
    female: 'hembra',
    male: 'macho',
    baby: 'cachorro',
    young: 'joven',
    adult: 'edad adulta',
    senior: 'edad avanzada',
    small: 'pequeño',
    medium: 'mediano',
    large: 'grande',
    xlarge: 'muy grande',
  },
  fr: {
    more: 'Afficher plus',
    none: 'Il n’y a pas d’animaux en ce moment.',
    female: 'femelle',
    male: 'mâle',
    baby: 'bébé',
    young: 'jeune',
    adult: 'adulte',
    senior: 'âge avancé',
    small: 'petite taille',
    medium: 'taille moyenne',
    large: 'grande taille',
    xlarge: 'très grande taille',
  },
};

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host { display: block }
  [hidden] { display: none !important }
  [part=list] {
    display: grid; gap: var(--adoptable-gap, 1rem); list-style: none; margin: 0; padding: 0;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--adoptable-columns-min, 14rem)), 1fr));
  }
  [part=card] {
    border: 1px solid color-mix(in srgb, currentColor 25%, transparent);
    border-radius: var(--adoptable-radius, .5rem); overflow: hidden;
  }
  [part=card] > * { display: block; color: inherit; text-decoration: none; height: 100% }
  a:focus-visible, button:focus-visible { outline: 3px solid var(--adoptable-accent, currentColor); outline-offset: -3px }
  .photo { display: block; aspect-ratio: 4 / 3; background: color-mix(in srgb, currentColor 10%, transparent) }
  [part=photo] { display: block; width: 100%; height: 100%; object-fit: cover }
  [part=name], [part=facts] { display: block; margin: .5rem .75rem; overflow-wrap: anywhere }
  [part=name] { font-weight: bold }
  a [part=name] { color: var(--adoptable-accent, inherit); text-decoration: underline }
  [part=more] {
    display: block; margin: var(--adoptable-gap, 1rem) auto 0; padding: .5rem 1rem; font: inherit; color: inherit;
    background: none; cursor: pointer; border: 1px solid var(--adoptable-accent, currentColor);
    border-radius: var(--adoptable-radius, .5rem);
  }
`);

/** What each attribute may be, for people and as a test. */
const ATTRIBUTES = {
  'api-key': [
    'a publishable key: pet_pub_live_...',
    (text) => /^pet_pub_(live|test)_[0-9A-Za-z]{44}$/.test(text),
  ],
  service: ['the address of the service', (text) => /^https?:$/.test(urlOf(text)?.protocol)],
  category: ['the id of a category', (text) => /^[1-9]\d{0,18}$/.test(text) && BigInt(text) < 2n ** 63n],
  status: ['available, pending or sold', (text) => ['available', 'pending', 'sold'].includes(text)],
  limit: ['a whole number from 1 to 100', (text) => /^([1-9]\d?|100)$/.test(text)],
  link: ['an https: address, in which {id} is replaced', (text) => isSafe(linkTo(text, 1))],
  lang: [Object.keys(LANGUAGES).join(', '), (text) => languageOf(text) in LANGUAGES],
};

/** Relative addresses are taken from the page; no text is none. */
const urlOf = (text) =>
  text && URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI) : undefined;
const linkTo = (template, id) => urlOf(template.replaceAll('{id}', id));
const isSafe = (url) => url?.protocol === 'https:';
const languageOf = (text) => text.toLowerCase().split('-')[0];

/** Reads JSON with whole numbers that JavaScript would round as texts. */
const parse = (json) =>
  JSON.parse(
    json.replace(/"(?:[^"\\]|\\.)*"|[\d.eE+-]+/g, (part) => (/^\d{16,}$/.test(part) ? `"${part}"` : part)),
  );

/** @param detail that of the `error` event */
const failure = (detail) => Object.assign(new Error(detail.code), { detail });

/** A new element with its children. */
function create(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

class AdoptableAnimals extends HTMLElement {
  static observedAttributes = Object.keys(ATTRIBUTES);

  #list = create('ul', { part: 'list', role: 'list', hidden: true });
  #more = create('button', {
    part: 'more',
    type: 'button',
    hidden: true,
    onclick: () => this.#load(this.#cursor),
  });
  #none = create('p', { role: 'status' });
  #own = create('slot', {});
  #cursor;
  /** Of the load under way: an answer to another one is late, and dropped. */
  #abort = new AbortController();
  #isScheduled = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [STYLE];
    root.append(this.#list, this.#more, this.#none, this.#own);
  }

  connectedCallback() {
    this.#schedule();
  }

  disconnectedCallback() {
    this.#abort.abort();
  }

  attributeChangedCallback() {
    this.#schedule();
  }

  /** Several attributes that change at once make one load. */
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.#load();
    });
  }

  #isValid() {
    const wrong = Object.keys(ATTRIBUTES).filter((name) => {
      const value = this.getAttribute(name);
      return value === null ? name === 'api-key' : !ATTRIBUTES[name][1](value.trim());
    });
    for (const name of wrong)
      console.error(`<adoptable-animals>: the attribute ${name} has to be ${ATTRIBUTES[name][0]}.`);
    return wrong.length === 0;
  }

  #attribute(name, otherwise) {
    return this.getAttribute(name)?.trim() ?? otherwise;
  }

  get #language() {
    const nearest = languageOf(this.closest('[lang]')?.lang ?? 'en');
    return nearest in LANGUAGES ? nearest : 'en';
  }

  /** Shows the first page, or one more behind a cursor; one event. */
  async #load(cursor) {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    try {
      if (!this.#isValid()) return this.#show([]);
      this.#list.ariaBusy = 'true';
      const { animals, next } = await this.#fetch(cursor, signal);
      const cards = animals.map((animal) => this.#card(animal));
      if (signal.aborted) return;
      this.#cursor = next;
      this.#show(cards, cursor !== undefined, LANGUAGES[this.#language].none);
      this.dispatchEvent(new CustomEvent('load', { detail: { count: cards.length } }));
    } catch (error) {
      if (signal.aborted) return;
      // What is shown of an earlier page stays.
      if (cursor === undefined) this.#show([]);
      const detail = error.detail ?? { code: 'invalid_response', status: 200, requestId: '' };
      this.dispatchEvent(new CustomEvent('error', { detail }));
    } finally {
      if (!signal.aborted) this.#list.ariaBusy = 'false';
    }
  }

  async #fetch(cursor, signal) {
    const base = urlOf(this.#attribute('service', import.meta.url.replace(/embed\/v1\/[^/]*$/, '')));
    const query = { status: 'available', limit: 12, include: 'profile' };
    for (const name of ['status', 'limit']) query[name] = this.#attribute(name, query[name]);
    if (this.hasAttribute('category')) query.categoryId = this.#attribute('category');
    if (cursor !== undefined) query.cursor = cursor;
    const url = `${base.origin}${base.pathname.replace(/\/$/, '')}/v1/pets?${new URLSearchParams(query)}`;
    const headers = { Authorization: `Bearer ${this.#attribute('api-key')}` };
    const ask = () => fetch(url, { headers, credentials: 'omit', signal }).catch(() => undefined);
    let response = await ask();
    const seconds = Number(response?.headers.get('Retry-After') ?? NaN);
    if ([429, 503].includes(response?.status) && seconds <= 60) {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      if (!signal.aborted) response = await ask();
    }
    if (response === undefined) throw failure({ code: 'network_error', status: 0, requestId: '' });
    const { status } = response;
    const requestId = response.headers.get('X-Request-Id') ?? '';
    const answer = await response
      .text()
      .then(parse)
      .catch(() => undefined);
    const code = (!response.ok && answer?.code) || 'invalid_response';
    if (!response.ok || !Array.isArray(answer)) throw failure({ code, status, requestId });
    const [, target] = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
    const next = target && new URL(target, base).searchParams.get('cursor');
    return { animals: answer, next: next || undefined };
  }

  /** Shows cards instead of those that are there, or behind them; the element's own children where there are none. */
  #show(cards, isBehind = false, sentence = '') {
    const hadFocus = this.shadowRoot.activeElement === this.#more;
    if (isBehind) this.#list.append(...cards);
    else this.#list.replaceChildren(...cards);
    const isEmpty = this.#list.childElementCount === 0;
    this.#list.hidden = isEmpty;
    this.#own.hidden = !isEmpty;
    this.#more.textContent = LANGUAGES[this.#language].more;
    this.#more.hidden = isEmpty || this.#cursor === undefined;
    this.#none.textContent = isEmpty ? sentence : '';
    if (!hadFocus || !this.#more.hidden) return;
    // The button has gone: on to the first of the animals that it brought.
    const first = cards[0] ?? this.#list.lastElementChild;
    const target = first?.querySelector('a') ?? first;
    if (target?.tagName === 'LI') target.tabIndex = -1;
    target?.focus();
  }

  #card({ id, name, profile = {} }) {
    const { species, breeds = [], sex, size, page, photos: [photo] = [] } = profile;
    const words = LANGUAGES[this.#language];
    const kind = breeds.join(' / ') || species;
    const facts = [kind, this.#ageOf(profile), words[sex], words[size]].filter(Boolean);
    const box = create('span', { className: 'photo' });
    if (isSafe(urlOf(photo?.url))) {
      const alt = photo.description ?? name;
      const quiet = { part: 'photo', loading: 'lazy', referrerPolicy: 'no-referrer' };
      box.append(create('img', { ...quiet, alt, src: photo.url }));
    }
    const to = this.hasAttribute('link') ? linkTo(this.#attribute('link'), id) : urlOf(page);
    const card = create(
      isSafe(to) ? 'a' : 'div',
      isSafe(to) && { href: to.href, rel: 'noopener', referrerPolicy: 'no-referrer' },
      box,
      create('span', { part: 'name' }, String(name)),
      create('span', { part: 'facts' }, facts.join(' · ')),
    );
    return create('li', { part: 'card' }, card);
  }

  /** `3 years`, in months below two years; the group of an animal whose day of birth is not known. */
  #ageOf({ bornOn, ageGroup }) {
    if (bornOn === undefined) return LANGUAGES[this.#language][ageGroup];
    const [year, month, day] = bornOn.split('-').map(Number);
    const now = new Date();
    const isBefore = now.getDate() < day;
    const months = Math.max(0, (now.getFullYear() - year) * 12 + now.getMonth() + 1 - month - isBefore);
    const [count, unit] = months < 24 ? [months, 'month'] : [Math.floor(months / 12), 'year'];
    return new Intl.NumberFormat(this.#language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  }
}

if (!customElements.get('adoptable-animals')) customElements.define('adoptable-animals', AdoptableAnimals);
