import { afterAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort, temporaryFolder } from '@petstore/test-servers';
import { serve } from '../support/running-service.js';

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PROGRAM = beside('../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite takes some seconds alone. */
const PATIENT_MS = 120_000;

const port = await freePort();
const { running } = await serve({ CORS_ORIGINS: `http://localhost:${port},http://127.0.0.1:${port}` });
const key = await running.issueKey();
/** Adds the key, which the suite cannot send. */
const proxy = createServer((incoming, response) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
  const { method, url } = incoming;
  const forwarded = request(`${running.service.origin}${url ?? ''}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  incoming.pipe(forwarded);
});
await new Promise<void>((resolve) => proxy.listen(port, 'localhost', resolve));
afterAll(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

it(
  'passes what the conformance suite checks of tools, but for what it lists as expected',
  async () => {
    const folder = await temporaryFolder('conformance');
    const args = [
      'server',
      '--suite',
      'all',
      '--url',
      `http://localhost:${port}/mcp`,
      '--expected-failures',
      beside('conformance-expected.yml'),
    ];
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile(
        process.execPath,
        ['--import', beside('conformance-on-node-20.mjs'), PROGRAM, ...args],
        { cwd: folder.path, timeout: PATIENT_MS },
        (error, stdout, stderr) => {
          resolve({ code: error?.code ?? 0, output: stdout + stderr });
        },
      );
    });
    await folder.remove();
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])
      expect(output).toMatch(new RegExp(`✓ ${scenario}`));
  },
  PATIENT_MS,
);
