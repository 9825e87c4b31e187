const IDLE_MS = 5 * 60_000;
const LONGEST_MS = 10 * 60_000;
/** A page that is shown again asks at once, but not sooner than this after the last time. */
const SHOWN_AGAIN_MS = 15_000;
const TOUCHES = ['pointerdown', 'keydown', 'scroll'];

/**
 * Decides when a page asks again for what it shows: while it is visible, and less and less often while nobody touches it.
 */
export class Freshness {
  #ask;
  #earliest;
  #usual = 0;
  #interval = 0;
  #asked = 0;
  #touched = 0;
  #timer;

  /** @param ask never fails. @param earliest milliseconds since 1970 before which nothing may be asked */
  constructor(ask, earliest) {
    this.#ask = ask;
    this.#earliest = earliest;
  }

  /** What is shown has just been loaded. @param seconds between two requests; 0 is never */
  start(seconds) {
    this.stop();
    this.#usual = this.#interval = seconds * 1000;
    if (this.#usual === 0) return;
    this.#asked = this.#touched = Date.now();
    for (const type of TOUCHES) addEventListener(type, this.#onTouch, { passive: true, capture: true });
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#plan(this.#interval);
  }

  stop() {
    clearTimeout(this.#timer);
    for (const type of TOUCHES) removeEventListener(type, this.#onTouch, { capture: true });
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#usual = 0;
  }

  #plan(ms) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#usual === 0 || document.hidden) return;
    const due = Math.max(this.#asked + ms, this.#earliest());
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, due - Date.now()));
  }

  async #run() {
    // The clock may have been changed, and fields of a response that came meanwhile may want a longer pause.
    if (Date.now() < this.#earliest()) return this.#plan(0);
    this.#asked = Date.now();
    const isIdle = this.#asked - this.#touched > IDLE_MS;
    this.#interval = isIdle ? Math.max(this.#usual, Math.min(this.#interval * 2, LONGEST_MS)) : this.#usual;
    this.#timer = undefined;
    await this.#ask();
    // A touch may have made a plan meanwhile.
    if (this.#timer === undefined) this.#plan(this.#interval);
  }

  #onTouch = () => {
    this.#touched = Date.now();
    if (this.#interval === this.#usual) return;
    this.#interval = this.#usual;
    this.#plan(this.#usual);
  };

  #onVisibility = () => this.#plan(SHOWN_AGAIN_MS);
}
