// Loaded into a service before its program: collects all garbage on SIGUSR2, so that its memory can be compared
// with what it was before.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => collect());
