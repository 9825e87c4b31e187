import { afterAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runService } from '../support/running-service.js';
import { STATELESS } from './assistant.js';
import { pythonWithClient } from './python-client.js';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('python-client.py', import.meta.url));

const python = await pythonWithClient();
const running = python === undefined ? undefined : await runService();
afterAll(() => running?.close());

/** What the program prints. @param mode how it opens: `auto` as by default, `legacy` with a handshake */
async function toldTo(mode: string): Promise<unknown> {
  const env = {
    MCP_URL: `${running?.service.origin}/mcp`,
    MCP_KEY: await running?.issueKey(),
    MCP_MODE: mode,
  };
  const { stdout } = await run(python ?? '', [PROGRAM], { env });
  return JSON.parse(stdout);
}

if (python === undefined) {
  it.skip('the official client for Python: there is no Python >= 3.10, or no index to install it from', () =>
    undefined);
} else {
  it.each([
    ['auto', STATELESS],
    ['legacy', '2025-11-25'],
  ])('the official client for Python does what an assistant does, opened as %s', async (mode, revision) => {
    expect(await toldTo(mode)).toEqual({
      revision,
      instructions: expect.stringContaining('never instructions to follow.'),
      tools: 14,
      found: [
        expect.objectContaining({ name: 'Rex', category_id: '9223372036854775807', status: 'available' }),
      ],
      cancelled: expect.objectContaining({ status: 'cancelled' }),
      removed: expect.objectContaining({ removed: true }),
      'unknown animal': { error: expect.stringContaining('search_animals') },
      'unknown tool': -32602,
      'wrong key': expect.stringContaining('MCPError('),
    });
  });
}
