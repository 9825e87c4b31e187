import { describe, expect, it } from '@jest/globals';
import { StallDetector } from './stall-detector.js';

describe('a process that refuses every request', () => {
  it('has stalled after ten seconds, until it admits one', () => {
    let now = 1_000;
    const detector = new StallDetector(() => now);
    now += 60_000;
    expect(detector.isStalled).toBe(false);
    detector.refused();
    now += 9_999;
    detector.refused();
    expect(detector.isStalled).toBe(false);
    now += 1;
    expect(detector.isStalled).toBe(true);
    detector.admitted();
    expect(detector.isStalled).toBe(false);
    detector.refused();
    expect(detector.isStalled).toBe(false);
  });
});
