import { StopSignals } from './startup/stop-signals.js';

// Before anything else is loaded: as the first process of a container the program is sent no signal for which it
// has no handler.
const signals = new StopSignals();
const { run } = await import('./program.js');
await run(signals);
