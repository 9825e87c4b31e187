import { describe, expect, it } from '@jest/globals';
import { EventSignal } from './event-signal.js';

describe('EventSignal', () => {
  it('tells all who listen, and nobody who has ceased to', () => {
    const signal = new EventSignal();
    const heard: string[] = [];
    const ends = ['first', 'second'].map((who) => signal.listen(() => heard.push(who)));
    signal.raise();
    expect(heard).toEqual(['first', 'second']);
    ends[0]?.();
    ends[0]?.();
    signal.raise();
    expect(heard).toEqual(['first', 'second', 'second']);
  });

  it('may be raised when nobody listens', () => {
    expect(() => {
      new EventSignal().raise();
    }).not.toThrow();
  });
});
