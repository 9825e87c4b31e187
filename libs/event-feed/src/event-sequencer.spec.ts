import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventSequencer } from './event-sequencer.js';
import { EventNotifier } from './event-notifier.js';
import { SteeredStore } from './testing/steered-store.js';

const FAILURE = new Error('The database is unavailable.');

let store: SteeredStore;
let notifier: EventNotifier;
let lines: string[];
let sequencer: EventSequencer;

beforeEach(() => {
  jest.useFakeTimers();
  store = new SteeredStore();
  notifier = new EventNotifier();
  lines = [];
  sequencer = new EventSequencer(store, notifier, {
    info: (_fields, message) => lines.push(`info: ${message}`),
    warn: (_fields, message) => lines.push(`warn: ${message}`),
  });
});
afterEach(async () => {
  const stopped = sequencer.stop();
  await pass(2_000);
  await stopped;
  jest.useRealTimers();
});

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
const calls = (): number => store.calls.length;

/** Started, and with its first look, which comes after a random time, just behind it. */
async function started(): Promise<void> {
  const startedAt = Date.now();
  sequencer.start();
  await jest.advanceTimersToNextTimerAsync();
  expect(calls()).toBe(1);
  expect(Date.now() - startedAt).toBeLessThanOrEqual(1_000);
  store.calls.length = 0;
}

/** The next call ends when the returned function is called, with so many events. */
function nextEndsLater(): (sequenced: number) => void {
  let end: (sequenced: number) => void = () => undefined;
  store.next(new Promise((resolve) => (end = resolve)));
  return (sequenced) => {
    end(sequenced);
  };
}

/** A notification, and the time after which it is looked at. */
async function notify(): Promise<void> {
  notifier.notify();
  await pass(20);
}

describe('a sequencer', () => {
  it('looks 20 ms after a notification, once for many', async () => {
    await started();
    sequencer.start();
    for (let n = 0; n < 1_000; n++) notifier.notify();
    await pass(19);
    expect(calls()).toBe(0);
    await pass(200);
    expect(calls()).toBe(1);
  });

  it('finds within a second what other processes write, who notify nobody here, and follows them', async () => {
    await started();
    store.next(1, 2, 3);
    await pass(1_000);
    expect(calls()).toBe(1);
    await pass(80);
    expect(calls()).toBe(4);
  });

  it('takes all that waits at one notification, and asks again soon while another one is at work', async () => {
    await started();
    store.next('busy', 1_000, 1_000, 3);
    await notify();
    await pass(20);
    expect(calls()).toBe(4);
  });

  it('looks again after a notification that came while it looked, and never twice at once', async () => {
    await started();
    const end = nextEndsLater();
    await notify();
    notifier.notify();
    await pass(1_500);
    expect(calls()).toBe(1);
    end(1);
    await pass(19);
    expect(calls()).toBe(1);
    await pass(1);
    expect(calls()).toBe(2);
    expect(store.mostActive).toBe(1);
  });

  it('asks again soon while another one is at work', async () => {
    await started();
    store.next('busy', 'busy', 5);
    await notify();
    expect(calls()).toBe(1);
    await pass(40);
    expect(calls()).toBe(3);
    await pass(500);
    expect(calls()).toBe(3);
  });

  it('says once that it fails, asks once a second whatever is notified, and says once that it works again', async () => {
    await started();
    store.next(FAILURE, FAILURE, FAILURE);
    await notify();
    expect(calls()).toBe(1);
    for (let n = 0; n < 190; n++) {
      notifier.notify();
      await pass(10);
    }
    expect(calls()).toBe(2);
    expect(lines).toEqual(['warn: sequencing events failed, retrying']);
    await pass(2_000);
    expect(lines.slice(1)).toEqual(['info: sequencing events works again']);
    store.calls.length = 0;
    await notify();
    expect(calls()).toBe(1);
  });

  it('gets on where the database is too slow for a full batch, and takes larger ones again when it is not', async () => {
    await started();
    store.most = 10;
    await pass(15_000);
    expect(store.calls.at(-1)).toBeLessThanOrEqual(10);
    expect(store.calls.every(Number.isInteger)).toBe(true);
    store.most = Infinity;
    store.next(...Array<number>(10).fill(1_000));
    await notify();
    expect(store.calls.at(-1)).toBe(1_000);
  });
});

describe('a sequencer that is stopped', () => {
  it('waits for what is under way and begins nothing more, though there is more', async () => {
    await started();
    const end = nextEndsLater();
    store.next(1_000, 1_000);
    await notify();
    let over = false;
    const stopped = sequencer.stop().then(() => (over = true));
    notifier.notify();
    await pass(500);
    expect(over).toBe(false);
    end(1_000);
    await pass(0);
    await stopped;
    await pass(5_000);
    expect(calls()).toBe(1);
  });

  it('waits two seconds at the most', async () => {
    await started();
    store.next(new Promise<number>(() => undefined));
    await notify();
    let over = false;
    void sequencer.stop().then(() => (over = true));
    await pass(1_999);
    expect(over).toBe(false);
    await pass(1);
    expect(over).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
    sequencer.start();
    notifier.notify();
    await pass(5_000);
    expect(calls()).toBe(1);
  });
});
