import type { Statement } from '../pipeline/statement.js';

/**
 * Until the end of the transaction, statements read by index only. For queues: one is empty when a session plans, or
 * seems so to the statistics, and a plan is kept. One that walks the whole table would be the plan for a backlog of
 * millions, too, at every batch of it.
 */
export const READ_BY_INDEX: Statement = {
  name: 'transaction_read_by_index',
  text: `select set_config(name, 'off', true)
    from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']) name`,
};
