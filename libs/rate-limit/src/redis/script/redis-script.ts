import { createHash } from 'node:crypto';

/** A Lua script, and the name by which a server that has seen it before knows it. */
export class RedisScript {
  readonly sha: string;

  constructor(readonly source: string) {
    this.sha = createHash('sha1').update(source).digest('hex');
  }
}
