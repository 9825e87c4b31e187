import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { connectToRunning } from '../src/connect.js';
import { DataFolderFixture } from './data-folder-fixture.js';
import { query, untilNone } from './servers.js';
import { TestService } from './test-service.js';

const fixture = new DataFolderFixture();

describe('a tool beside the service', () => {
  it('reaches the database of a running service', async () => {
    expect(await connectToRunning(fixture.dataDir)).toBeUndefined();
    await fixture.within(async ({ url }) => {
      expect(await connectToRunning(fixture.dataDir)).toBe(url);
    });
    expect(await connectToRunning(fixture.dataDir)).toBeUndefined();
  });

  it('leaves the database of a running service alone when it ends', async () => {
    await fixture.within(async ({ url }) => {
      expect(await new TestService('once', fixture.dataDir).end()).toEqual({ done: true });
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it.each(['', 'empty'])(
    'works three times at once on the folder "%s" that nobody else uses',
    async (folder) => {
      const tools = Array.from({ length: 3 }, () => new TestService('once', join(fixture.dataDir, folder)));
      expect(await Promise.all(tools.map((tool) => tool.end()))).toEqual(tools.map(() => ({ done: true })));
      await untilNone(fixture.dataDir);
    },
  );
});
