// Loaded into a program before it starts: the program ends in order when its standard input ends, which is a pipe from the
// process that started it. However that process ends, the pipe ends.
process.stdin
  .on('end', () => process.kill(process.pid, 'SIGTERM'))
  .resume()
  .unref();
