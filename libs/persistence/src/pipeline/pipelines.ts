import type { Pipeline } from './pipeline.js';
import type { PipelineStats } from './pipeline-settings.js';

/** The pipelines of one database: reads and writes are apart, because reads would wait behind every commit. */
export class Pipelines {
  constructor(
    readonly reads: Pipeline,
    readonly writes: Pipeline,
  ) {}

  /** Of both together. */
  get stats(): PipelineStats {
    const [reads, writes] = [this.reads.stats, this.writes.stats];
    return {
      total: reads.total + writes.total,
      idle: reads.idle + writes.idle,
      waiting: reads.waiting + writes.waiting,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.reads.close(), this.writes.close()]);
  }
}
