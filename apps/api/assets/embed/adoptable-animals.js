/**
 * <adoptable-animals api-key="pet_pub_live_...">: shows the animals of a shelter in any page.
 *
 * How to use and style it: the guide, "Show animals". It writes no style or script into the page, and reads no text of an
 * animal as markup. The build joins the files of this folder.
 */
import { Address } from './address.js';
import { factsOf, photosOf } from './animal.js';
import { ATTRIBUTES, namesOf, problemsOf, unknownOf, valuesOf } from './attributes.js';
import { Details } from './details.js';
import { create, leadingTo, linkTo, urlOf } from './dom.js';
import { createFilterForm } from './filter-form.js';
import { choicesOf, FILTERS, FIXED, isAllowed, searchOf } from './filters.js';
import { Freshness } from './freshness.js';
import { LANGUAGES, languageOf } from './languages.js';
import { Service } from './service.js';
import { STYLE } from './style.js';

/** Most ids that a request may name. */
const MAX_IDS = 100;
const INCLUDE = 'profile,createdAt';

class AdoptableAnimals extends HTMLElement {
  static observedAttributes = Object.keys(ATTRIBUTES);

  #form = create('div', {});
  #list = create('ul', { part: 'list', role: 'list', hidden: true });
  #more = create('button', { part: 'more', type: 'button', hidden: true, click: () => this.#showMore() });
  #said = create('p', { part: 'message', role: 'status' });
  #own = create('slot');
  #details = new Details(() => this.#choose({ ...this.#address.read(), animal: undefined }));

  /** Attributes by name, as of the last load. */
  #values = {};
  /** Parameters that every request has. */
  #fixed = {};
  #service;
  #address;
  #chosen = {};
  #cursor;
  /** What is shown, by id: the animal, and the entry of the list with its parts; of an open dialog there may be none. */
  #shown = new Map();
  /** The tags of what is shown, by the ids that were asked for. */
  #tags = new Map();
  /** Of the load under way: an answer to another one is late, and dropped. */
  #abort = new AbortController();
  #isScheduled = false;
  #isBusy = false;
  #freshness = new Freshness(
    () => this.#refresh(),
    () => Math.max(this.#service.notBefore, this.#service.sparedUntil),
  );
  #onAddress = () => this.#follow();

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [STYLE];
    root.append(this.#form, this.#said, this.#list, this.#more, this.#details.dialog, this.#own);
  }

  connectedCallback() {
    for (const type of ['popstate', 'hashchange']) addEventListener(type, this.#onAddress);
    const unknown = unknownOf(this);
    if (unknown.length > 0)
      console.warn(
        `<adoptable-animals> does not know ${unknown.join(', ')}. It knows ${Object.keys(ATTRIBUTES).join(', ')}.`,
      );
    this.#schedule();
  }

  disconnectedCallback() {
    for (const type of ['popstate', 'hashchange']) removeEventListener(type, this.#onAddress);
    this.#abort.abort();
    this.#freshness.stop();
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
      if (this.isConnected) void this.#start();
    });
  }

  get #language() {
    return languageOf(this.closest('[lang]')?.lang || 'en');
  }

  get #words() {
    return LANGUAGES[this.#language];
  }

  /** Reads the attributes, and begins anew. */
  async #start() {
    this.#abort.abort();
    this.#freshness.stop();
    const values = (this.#values = valuesOf(this));
    const problems = problemsOf(values);
    for (const problem of problems) console.error(problem);
    this.#form.replaceChildren();
    if (problems.length > 0) return this.#empty();
    // The script is two folders below the service.
    this.#service = new Service(
      urlOf(values.service) ?? new URL('../../', import.meta.url),
      values['api-key'],
    );
    const names = namesOf(values.filters);
    this.#address = new Address(this.id || 'adoptable', [...names, 'animal'], values.address !== 'none');
    this.#fixed = {
      status: values.status ?? 'available',
      ...(values.category && { categoryId: values.category }),
    };
    this.#chosen = this.#choicesOfAddress();
    this.#showForm();
    await this.#load();
    await this.#showChosen();
  }

  /** What the address says, without what is no choice here. */
  #choicesOfAddress() {
    const { animal, ...others } = this.#address.read();
    const species = choicesOf(this.#values['species-choices'])?.map(([value]) => value);
    const isChoice = ([name, text]) =>
      text !== undefined && isAllowed(FILTERS[name], text) && (name !== 'species' || species?.includes(text));
    const chosen = Object.fromEntries(Object.entries(others).filter(isChoice));
    return /^[1-9]\d{0,18}$/.test(animal) ? { ...chosen, animal } : chosen;
  }

  #showForm() {
    const names = namesOf(this.#values.filters);
    if (names.length === 0) return;
    this.#form.replaceChildren(
      createFilterForm({
        names,
        fixed: this.#values,
        choices: choicesOf(this.#values['species-choices']) ?? [],
        chosen: this.#chosen,
        language: this.#language,
        onChoice: (chosen) => this.#choose(chosen, true),
      }),
    );
  }

  /** A visitor has chosen: it stands in the address, and is shown. */
  #choose(chosen, isOfForm = false) {
    this.#address.write(chosen);
    void this.#follow(isOfForm);
  }

  /** Shows what the address says, where it is not shown already. */
  async #follow(isOfForm = false) {
    if (this.#service === undefined) return;
    const before = this.#chosen;
    this.#chosen = this.#choicesOfAddress();
    const isSame = Object.keys(FILTERS).every((name) => before[name] === this.#chosen[name]);
    if (!isSame) {
      // Not of a choice that was made in it: the form would lose the focus.
      if (!isOfForm) this.#showForm();
      await this.#load();
    }
    if (before.animal !== this.#chosen.animal) await this.#showChosen();
  }

  /** The parameters of what a visitor has chosen; nothing chosen is what every animal that is shown has to match. */
  #queryOf(chosen = {}) {
    return { ...this.#fixed, ...searchOf(this.#values, chosen), include: INCLUDE };
  }

  #showMore() {
    // Of several clicks the first.
    if (!this.#isBusy && this.#cursor !== undefined) void this.#load(this.#cursor);
  }

  /** Shows the first page, or one more behind a cursor; one event. */
  async #load(cursor) {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    this.#freshness.stop();
    this.#setBusy(true);
    try {
      const query = {
        ...this.#queryOf(this.#chosen),
        limit: this.#values.limit ?? 12,
        ...(cursor !== undefined && { cursor }),
      };
      const page = await this.#service.listPatiently(query, signal, () => this.#say(this.#words.wait));
      if (signal.aborted) return;
      this.#cursor = page.cursor;
      this.#show(page.animals, cursor !== undefined);
      this.dispatchEvent(new CustomEvent('load', { detail: { count: page.animals.length } }));
    } catch (error) {
      if (signal.aborted) return;
      this.#say('');
      // What is shown of an earlier page stays.
      if (cursor === undefined) this.#empty();
      this.#fail(error);
    } finally {
      if (!signal.aborted) {
        this.#setBusy(false);
        this.#tags.clear();
        this.#freshness.start(Number(this.#values.refresh ?? 60));
      }
    }
  }

  #fail(error) {
    const detail = error.detail ?? { code: 'invalid_response', status: 200, requestId: '' };
    const text = error.text || (error.detail ? '' : error.message);
    console.error(`<adoptable-animals>: ${detail.code} (${detail.status}) ${text}`);
    this.dispatchEvent(new CustomEvent('error', { detail }));
  }

  #setBusy(isBusy) {
    this.#isBusy = isBusy;
    this.#list.setAttribute('aria-busy', isBusy);
    this.#more.setAttribute('aria-disabled', isBusy);
  }

  #say(text) {
    this.#said.textContent = text;
  }

  /** Nothing but the element's own children. */
  #empty() {
    this.#cursor = undefined;
    this.#show([], false, '');
  }

  /** Shows animals instead of those that are there, or behind them. */
  #show(animals, isBehind, sentence) {
    const hadFocus = this.shadowRoot.activeElement === this.#more;
    const gone = [...this.#shown].filter(([, { isGone }]) => !isBehind || isGone);
    for (const [id, { entry }] of gone) {
      entry?.remove();
      this.#shown.delete(id);
    }
    const added = animals.map((animal) => this.#add(animal));
    const count = this.#list.childElementCount;
    this.#list.hidden = count === 0;
    this.#own.hidden = count > 0;
    this.#more.textContent = this.#words.more;
    this.#more.hidden = this.#cursor === undefined;
    const { one, many, orMore } = this.#words;
    const found = (this.#cursor === undefined ? (count === 1 ? one : many) : orMore).replace('{n}', count);
    this.#say(sentence ?? (count === 0 ? this.#words.none : this.#form.hasChildNodes() ? found : ''));
    if (!hadFocus || !this.#more.hidden) return;
    // The button has gone: on to the first of the animals that it brought.
    const first = added[0] ?? this.#list.lastElementChild;
    const target = first?.querySelector('a, button') ?? first;
    if (target?.localName === 'li') target.tabIndex = -1;
    target?.focus();
  }

  /** The entry of the list for one more animal. */
  #add(animal) {
    const id = String(animal.id);
    const entry = create('li', { part: 'card' });
    this.#shown.get(id)?.entry?.remove();
    this.#shown.set(id, { animal, entry });
    this.#fill(entry, animal);
    this.#list.append(entry);
    return entry;
  }

  /** Writes an animal into its entry: what is there already stays, so that nobody loses the focus or a photo. */
  #fill(entry, animal) {
    const to = this.#targetOf(animal);
    const name = to === undefined ? 'div' : to.href === undefined ? 'button' : 'a';
    let card = entry.firstElementChild;
    if (card?.localName !== name) {
      card = create(
        name,
        { class: 'card', ...to },
        create('span', { class: 'box' }),
        create('span', { part: 'name', dir: 'auto' }),
        create('span', { part: 'facts', dir: 'auto' }),
        create('span', { part: 'status' }),
      );
      entry.replaceChildren(card);
    } else if (to?.href !== undefined) card.href = to.href;
    const [box, title, facts, status] = card.children;
    const [photo] = photosOf(animal);
    if (box.firstElementChild?.src !== photo?.src) box.replaceChildren(...(photo ? [photo] : []));
    title.textContent = animal.name;
    facts.textContent = factsOf(animal, this.#language);
    status.textContent = this.#words[animal.status] ?? '';
    status.hidden = status.textContent === '';
  }

  /** Attributes of what a card leads to: a page, or the details; `undefined` for a card that leads nowhere. */
  #targetOf({ id, profile: { page } = {} }) {
    const { link, details } = this.#values;
    const url = link === undefined ? urlOf(page) : linkTo(link, id);
    const away = leadingTo(url);
    if (details === undefined && away) return away;
    const animal = String(id);
    const click = (event) => {
      // In a new tab the address opens it.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#choose({ ...this.#chosen, animal });
    };
    const href = this.#address.isUsed && this.#address.urlWith({ ...this.#chosen, animal });
    return { ...(href ? { href } : { type: 'button' }), 'aria-haspopup': 'dialog', click };
  }

  /** Opens the details of the animal that the address names, and closes those of another. */
  async #showChosen() {
    const { animal: id } = this.#chosen;
    if (id === undefined) {
      this.#details.dialog.close();
      return;
    }
    const { signal } = this.#abort;
    let animal = this.#shown.get(id)?.animal;
    try {
      animal ??= (await this.#service.listPatiently({ ...this.#queryOf(), ids: id }, signal, () => {}))
        .animals[0];
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return;
    }
    if (signal.aborted || this.#chosen.animal !== id) return;
    if (animal === undefined) {
      this.#say(this.#words.gone);
      this.#address.write({ ...this.#chosen, animal: undefined }, false);
      return;
    }
    if (!this.#shown.has(id)) this.#shown.set(id, { animal });
    this.#details.show(animal, this.#language);
  }

  /** Asks for what is shown, and changes in place what has changed. Silent when it fails. */
  async #refresh() {
    const { signal } = this.#abort;
    const ids = [...this.#shown].filter(([, { isGone }]) => !isGone).map(([id]) => id);
    for (let at = 0; at < ids.length; at += MAX_IDS) {
      const part = ids.slice(at, at + MAX_IDS);
      const named = part.join(',');
      try {
        const page = await this.#service.list(
          { ...this.#queryOf(), ids: named },
          signal,
          this.#tags.get(named),
        );
        if (signal.aborted) return;
        if (page === undefined) continue;
        this.#tags.set(named, page.tag);
        const found = new Map(page.animals.map((animal) => [String(animal.id), animal]));
        for (const id of part) this.#renew(id, found.get(id));
      } catch {
        return;
      }
    }
  }

  /** @param animal as it is now; `undefined` for one that is not found any more */
  #renew(id, animal) {
    const shown = this.#shown.get(id);
    if (shown === undefined) return;
    const isInDialog = this.#details.isOpen && this.#chosen.animal === id;
    if (animal === undefined) {
      shown.isGone = true;
      if (shown.entry !== undefined) {
        shown.entry.setAttribute('part', 'card gone');
        const status = shown.entry.querySelector('[part=status]');
        status.textContent = this.#words.gone;
        status.hidden = false;
      }
      if (isInDialog) this.#details.say(this.#words.gone);
      return;
    }
    if (JSON.stringify(animal) === JSON.stringify(shown.animal)) return;
    shown.animal = animal;
    if (shown.entry !== undefined) this.#fill(shown.entry, animal);
    if (!isInDialog) return;
    this.#details.show(animal, this.#language);
    this.#details.say(this.#words.changed);
  }
}

if (!customElements.get('adoptable-animals')) customElements.define('adoptable-animals', AdoptableAnimals);
