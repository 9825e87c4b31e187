import type { Clock } from '../cache/api-key-cache.js';

/** Goes on when it is told to. */
export class TestClock implements Clock {
  wall = Date.parse('2026-11-20T12:00:00Z');
  monotonic = 1_000;
  now = (): number => this.wall;
  elapsed = (): number => this.monotonic;
  pass(milliseconds: number): void {
    this.wall += milliseconds;
    this.monotonic += milliseconds;
  }
}
