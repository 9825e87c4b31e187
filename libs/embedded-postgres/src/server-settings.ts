/**
 * Command-line settings of the server. They are given at every start, not written into the database
 * folder, so that a new version of the service brings its own.
 */
export function serverSettings(port: number, durable: boolean): string[] {
  const settings = {
    // Loopback only, and no socket file whose path could be too long or left behind.
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // One process writes and nothing is replicated.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    // Short statements: planning for parallel workers or compilation never pays.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    // A failed statement is its caller's news; its text may hold data and stays out of the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    // What is acknowledged has been handed to the system then: it survives the server, not the machine.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
