import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { createLog } from './log.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a line of the log', () => {
  it('says when it was written, to the millisecond', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const now = jest.spyOn(Date, 'now');
    const moments = fc.array(fc.integer({ min: 1_795_000_000_000, max: 1_795_000_003_000 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(moments, (times) => {
        lines.length = 0;
        for (const time of times) {
          now.mockReturnValue(time);
          log.info('hello');
        }
        expect(lines.map((line) => (JSON.parse(line) as { time: string }).time)).toEqual(
          times.map((time) => new Date(time).toISOString()),
        );
      }),
    );
  });
});
