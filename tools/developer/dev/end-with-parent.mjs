// Loaded into a child process before its program: sends it SIGTERM when its parent is gone.
const INTERVAL_MS = 500;
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, INTERVAL_MS).unref();
