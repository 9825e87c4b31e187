import { PORT } from './data-folder.js';

/**
 * Command-line settings of the server. They are given at every start, not written into the database
 * folder, so that a new version of the service brings its own.
 */
export function serverSettings(
  socketFolder: string,
  durable: boolean,
  further: Readonly<Record<string, string>>,
): string[] {
  const settings = {
    // No network at all: on loopback every user of the machine could take up all connections, or take the
    // port while the server restarts and be told what is meant for it.
    listen_addresses: '',
    port: String(PORT),
    // A list, in which a name in quotation marks may hold anything.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
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
    // A failed statement is reported to its caller; its text may hold data and stays out of the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    // What is acknowledged has been handed to the system then: it survives the server, not the machine. What sessions
    // share goes away with a folder that is thrown away; elsewhere only the next start removes it.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', dynamic_shared_memory_type: 'mmap' }),
    ...further,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
