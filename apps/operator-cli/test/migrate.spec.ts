import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { createMigrateProgram } from '../src/migrate.program.js';
import { run as runTool } from '../src/run.js';
import { processTerminal } from '../src/terminal/process-terminal.js';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

async function run(
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runTool(createMigrateProgram, args, {
    ...processTerminal(),
    environment,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

describe('migrate', () => {
  it('applies what is missing, says so, and does nothing the second time', async () => {
    const environment = { DATABASE_URL: postgres.url, API_KEY_PEPPER: 'pepper-of-the-migration' };
    // As when several instances are rolled out together: one does the work, the others wait.
    const runs = await Promise.all([run(environment), run(environment), run(environment)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    const outputs = runs.map(({ out }) => out).sort();
    expect(outputs[0]).toMatch(/^Applied:\n {2}InitialSchema\d+\n$/);
    expect(outputs.slice(1)).toEqual(['The schema is up to date.\n', 'The schema is up to date.\n']);
  });

  it('changes nothing when it is asked what it does, or for something that it does not know', async () => {
    const environment = {
      DATABASE_URL: 'postgres://petstore@127.0.0.1:1/petstore',
      API_KEY_PEPPER: 'pepper-of-the-migration',
    };
    const help = await run(environment, '--help');
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toMatch(/^Usage: npm run migrate --/);
    for (const args of [['--dry-run'], ['status']]) {
      const refused = await run(environment, ...args);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toContain('(see --help)');
    }
  });

  it('ends with 2 when the configuration is wrong and with 1 when nobody listens there', async () => {
    const wrong = await run({ DATABASE_URL: 'mysql://host/db' });
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toMatch(/^error: DATABASE_URL is /);
    const refused = await run({
      DATABASE_URL: 'postgres://petstore@127.0.0.1:1/petstore',
      API_KEY_PEPPER: 'pepper-of-the-migration',
    });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('ECONNREFUSED');
  });
});
