import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

const workflow = read('.github/workflows/ci.yml');

it('names one oldest Node.js, in package.json, for version managers and in the workflow', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const [, oldest = ''] = /^>=(\S+)$/.exec(engines.node) ?? [];
  expect(read('.nvmrc').trim()).toBe(oldest);
  expect(/node: \['([^']+)'/.exec(workflow)?.[1]).toBe(oldest);
});

it('names the actions of the workflow by their commits', () => {
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40}$/);
});
