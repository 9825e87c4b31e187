// Loaded before a program (`node --import`) by the process that started it: tells it, whenever it is asked, how much
// CPU time the program has used so far, of all its threads.
process.on('message', () => process.send(process.cpuUsage()));
// The channel alone is no reason to go on.
process.channel.unref();
