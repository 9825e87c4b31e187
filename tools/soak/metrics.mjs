const MIB = 1024 * 1024;

/** What the service says of itself at this moment. */
export async function scrape(management) {
  const text = await (await fetch(`${management}/metrics`)).text();
  const value = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
  return {
    rss: value('process_resident_memory_bytes') / MIB,
    heap: value('nodejs_heap_size_used_bytes') / MIB,
    busy: value('petstore_event_loop_utilization'),
    lagP99: value('nodejs_eventloop_lag_p99_seconds') * 1000,
    handles: value('nodejs_active_handles_total'),
    files: value('process_open_fds'),
  };
}
