import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SingleFlight } from './single-flight.js';

type Key = 'a' | 'b';
type Step =
  { readonly kind: 'write' | 'ask' | 'refuse'; readonly key: Key } | { readonly kind: 'send' | 'run' };

/** A server of counters behind a line: what is asked waits, then travels, then is read at once. */
class Line {
  readonly counters: Record<Key, number> = { a: 0, b: 0 };
  private readonly shared = new SingleFlight();
  private waiting: Question[] = [];
  private travelling: Question[] = [];

  ask(key: Key): Promise<number> {
    return this.shared.share(
      key,
      (leaving) => new Promise((answer) => this.waiting.push({ key, leaving, answer })),
    );
  }

  /** Asks while nothing can be asked; a read that waits already may still be joined. */
  refuse(key: Key): Promise<number> {
    return this.shared.share(key, (leaving) => {
      leaving();
      return Promise.resolve(Number.NaN);
    });
  }

  /** @returns the keys of the queries that leave */
  send(): Key[] {
    const leaving = this.waiting.splice(0);
    for (const question of leaving) question.leaving();
    this.travelling.push(...leaving);
    return leaving.map(({ key }) => key);
  }

  run(): void {
    for (const { key, answer } of this.travelling.splice(0)) answer(this.counters[key]);
  }
}

interface Question {
  readonly key: Key;
  readonly leaving: () => void;
  readonly answer: (value: number) => void;
}

const key = fc.constantFrom<Key>('a', 'b');
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('write', 'ask', 'ask', 'refuse'), key }),
    fc.record({ kind: fc.constantFrom('send', 'run') }),
  ),
  { maxLength: 60 },
);

describe('SingleFlight', () => {
  it('shows every reader what was written before it asked, with one query for all that wait', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const line = new Line();
        const readers: { readonly answer: Promise<number>; readonly atLeast: number }[] = [];
        for (const step of [...plan, { kind: 'send' }, { kind: 'run' }] as Step[]) {
          if (step.kind === 'write') line.counters[step.key]++;
          else if (step.kind === 'ask')
            readers.push({ answer: line.ask(step.key), atLeast: line.counters[step.key] });
          else if (step.kind === 'refuse') void line.refuse(step.key);
          else if (step.kind === 'run') line.run();
          else {
            const sent = line.send();
            expect(new Set(sent).size).toBe(sent.length);
          }
        }
        for (const { answer, atLeast } of readers) expect(await answer).toBeGreaterThanOrEqual(atLeast);
      }),
      { numRuns: 500 },
    );
  });

  it('gives all who share a read the same result, or the same failure', async () => {
    const shared = new SingleFlight();
    const failing = (): Promise<never> => Promise.reject(new Error('lost'));
    const both = [shared.share('a', failing), shared.share('a', () => Promise.resolve())];
    for (const answer of both) await expect(answer).rejects.toThrow('lost');
  });

  it('does not remember a read that was refused', async () => {
    const line = new Line();
    await line.refuse('a');
    const answer = line.ask('a');
    line.send();
    line.run();
    expect(await answer).toBe(0);
  });
});
