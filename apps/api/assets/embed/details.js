import { detailsOf, photosOf } from './animal.js';
import { create, leadingTo, urlOf } from './dom.js';
import { LANGUAGES } from './languages.js';

/** Everything about one animal, in a dialog. */
export class Details {
  /** @param onClose called when a visitor has closed it */
  constructor(onClose) {
    this.title = create('h2', { part: 'title', dir: 'auto', tabindex: -1, autofocus: true });
    this.close = create('button', { part: 'close', type: 'button', click: () => this.dialog.close() });
    this.notice = create('p', { part: 'notice', role: 'status' });
    this.photos = create('div', { part: 'photos', tabindex: 0, role: 'group' });
    this.description = create('p', { part: 'description', dir: 'auto' });
    this.list = create('dl', { part: 'details' });
    this.more = create('p', {});
    this.dialog = create(
      'dialog',
      { part: 'dialog', closedby: 'any', close: onClose },
      create('header', {}, this.title, this.close),
      this.notice,
      this.photos,
      this.description,
      this.list,
      this.more,
    );
  }

  get isOpen() {
    return this.dialog.open;
  }

  /** Shows an animal; what is shown of the same one already stays as far as it is the same. */
  show(animal, language) {
    const { name, status, profile = {} } = animal;
    const words = LANGUAGES[language];
    this.dialog.lang = language;
    this.title.textContent = name;
    this.dialog.setAttribute('aria-label', name);
    this.close.textContent = words.close;
    this.notice.textContent = words[status] ?? '';
    const photos = photosOf(animal);
    const addresses = (images) => [...images].map(({ src, alt }) => `${src} ${alt}`).join('\n');
    if (addresses(photos) !== addresses(this.photos.children)) this.photos.replaceChildren(...photos);
    this.photos.hidden = photos.length === 0;
    this.photos.setAttribute('aria-label', words.photos);
    this.description.textContent = profile.description ?? '';
    this.list.replaceChildren(...detailsOf(animal, language));
    const link = leadingTo(urlOf(profile.page));
    this.more.replaceChildren(...(link ? [create('a', link, words.page)] : []));
    if (!this.dialog.open) {
      this.photos.scrollLeft = 0;
      this.dialog.showModal();
    }
  }

  /** Says that what is shown has changed, or that the animal is gone. */
  say(text) {
    this.notice.textContent = text;
  }
}
