// Loaded before a program (`node --import`): replies to each message of the process that started it with the CPU time of
// all threads so far.
process.on('message', () => process.send(process.cpuUsage()));
// The channel alone is no reason to go on.
process.channel.unref();
