import { beforeEach, describe, expect, it } from '@jest/globals';
import { Progress } from './progress.js';

let err: string;
let now: number;

beforeEach(() => {
  err = '';
  now = 0;
});

const progress = (isTerminal: boolean): Progress =>
  new Progress({ err: (text) => (err += text), colour: false, progress: isTerminal }, 'Importing', () => now);

describe('progress', () => {
  it('is a bar at a terminal, which goes when the work is done', async () => {
    await progress(true).during((bar) => {
      bar.at(0, 0);
      now = 100;
      bar.at(0.5, 1_000);
      return Promise.resolve();
    });
    const cells = '█'.repeat(15) + '░'.repeat(15);
    expect(err).toBe(`\r${cells} Importing: 1,000 records, 50 %\u001b[K\r\u001b[K`);
  });

  it('is a line every five seconds elsewhere', async () => {
    await progress(false).during((lines) => {
      for (now = 0; now <= 11_000; now += 1_000) lines.at(now / 20_000, now);
      return Promise.resolve();
    });
    expect(err).toBe('Importing: 5,000 records, 25 %\nImporting: 10,000 records, 50 %\n');
  });

  it('goes when the work fails, too', async () => {
    const failed = progress(true).during((bar) => {
      now = 100;
      bar.at(0.1, 1);
      return Promise.reject(new Error('broken'));
    });
    await expect(failed).rejects.toThrow('broken');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
  });
});
