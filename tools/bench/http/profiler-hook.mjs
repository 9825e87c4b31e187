import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

/**
 * Loaded into a server with `--import`: the first SIGUSR2 begins a CPU profile, the second ends it and
 * writes it to PROFILE_OUTPUT.
 */

const INTERVAL_US = 250;
const output = process.env.PROFILE_OUTPUT;
let session;

process.on('SIGUSR2', () => {
  if (session === undefined) {
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    session.post('Profiler.start');
  } else {
    session.post('Profiler.stop', (error, result) => {
      writeFileSync(output, JSON.stringify(error ?? result.profile));
    });
    session.disconnect();
    session = undefined;
  }
});
