import { spawnSync } from 'node:child_process';
import preset from '../../jest.preset.mjs';

const { reporters: _, ...project } = preset;
const { error } = spawnSync('valkey-server', ['-v']);
if (error) console.error('No valkey-server is installed: the limiter is tested on Redis alone.');

/** What counts in Redis is tested on Valkey, too, where there is one. */
const onValkey = {
  ...project,
  displayName: 'Valkey',
  globals: { REDIS_SERVER: 'valkey-server' },
  testMatch: ['<rootDir>/test/{decisions,model,redis-*}.spec.ts'],
};

export default error ? preset : { ...preset, projects: [project, onValkey] };
