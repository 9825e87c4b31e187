// Loaded before programs that run for a minute or so: the tests, ESLint, Prettier. Node.js 20 optimizes functions early, on
// threads of its own, and most of that never pays in so short a time: later is a fifth less CPU time. Node.js from 22 on
// counts in another way, and does not know the setting.
import { setFlagsFromString } from 'node:v8';

const [major] = process.versions.node.split('.');

if (major === '20') setFlagsFromString('--interrupt-budget=1000000');
