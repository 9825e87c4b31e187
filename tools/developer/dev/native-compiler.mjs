// Runs the compiler with the arguments of this process, and ends it when this process is told to end. The package's own
// start script waits for the program without listening to anything; and nothing can be loaded into the program itself
// that would end it with its parent.
import { spawn } from 'node:child_process';

const PROGRAM = new URL('../../../node_modules/typescript-native/lib/getExePath.js', import.meta.url);

const { default: programOfThisSystem } = await import(PROGRAM.href);
const compiler = spawn(programOfThisSystem(), process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => compiler.kill(signal));
compiler.once('exit', (code) => (process.exitCode = code ?? 1));
