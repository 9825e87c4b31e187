import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';
import type { RedisSnapshot } from '../limiter/rate-limit-result.js';
import type { BanPolicy, RateLimitSubject } from '../policy.js';

/** The script that decides in Redis; it says what its arguments mean. */
const SCRIPT = readFileSync(new URL('../../lua/charge.lua', import.meta.url), 'utf8');
/** The command that it becomes for a client. */
const COMMAND = 'chargeRateLimits';

/** Bytes in front of the snapshots: the time of the decision. */
const PROLOGUE_BYTES = 8;
const SNAPSHOT_BYTES = 39;

/** Lifts the ban of a subject; the snapshot that is returned has the ban that there was. */
export const LIFT_BAN_REQUEST = '1 1 3 0 0';

/** Has the script use every command that it may ever need: a server, or a user's rights, may refuse just one. */
export const PROBE_REQUEST = '9 9 4 1 1 0 9 0:1,1000000:1,2000000:1,3000000:1,4000000:1,5000000:1 0:1';

/** Runs the script. */
export type RunScript = (keys: readonly string[], args: readonly string[]) => Promise<Buffer>;

/** Makes the script known to a client, which sends its hash, and its text to a server that does not know it. */
export function defineScript(client: Redis | Cluster): RunScript {
  client.defineCommand(COMMAND, { lua: SCRIPT });
  const run = Reflect.get(client, `${COMMAND}Buffer`) as (...all: unknown[]) => Promise<Buffer>;
  return (keys, args) => run.call(client, keys.length, ...keys, ...args);
}

/** The ban policy as an argument of the script. */
export function spellPolicy(policy: BanPolicy | undefined): string {
  if (policy === undefined) return '';
  const { refusals, withinMs, firstMs, factor, repeatMs, longestMs } = policy;
  return [refusals, withinMs * 1000, firstMs * 1000, factor, repeatMs * 1000, longestMs * 1000].join(' ');
}

/** What is asked about a subject, as an argument of the script. */
export function spellRequest(
  { limits, bannable, numerous }: RateLimitSubject,
  wanted: number,
  allowed: number,
): string {
  const kind = bannable ? '1' : numerous ? '2' : '0';
  return `${limits.perMinute} ${limits.perDay} ${kind} ${wanted} ${allowed}`;
}

/**
 * The snapshots in a reply of the script.
 *
 * @throws Error when it has not as many as were asked for: what listens at an address need not be a Redis
 */
export function readReply(reply: unknown, count: number): RedisSnapshot[] {
  if (!Buffer.isBuffer(reply) || reply.length !== PROLOGUE_BYTES + count * SNAPSHOT_BYTES)
    throw new Error('a reply that the script does not give');
  const now = reply.readDoubleLE(0) / 1000;
  const snapshots: RedisSnapshot[] = [];
  for (let start = PROLOGUE_BYTES; start < reply.length; start += SNAPSHOT_BYTES) {
    snapshots.push({
      now,
      admitted: reply.readUInt32LE(start),
      plainRefusals: reply.readUInt32LE(start + 4),
      minute: { used: reply.readUInt32LE(start + 8), resetMs: reply.readUInt32LE(start + 16) },
      day: { used: reply.readUInt32LE(start + 12), resetMs: reply.readUInt32LE(start + 20) },
      banMs: reply.readUInt32LE(start + 24),
      bans: reply.readUInt16LE(start + 28),
      banStarted: reply.readUInt8(start + 30) === 1,
      incarnation: reply.readDoubleLE(start + 31),
    });
  }
  return snapshots;
}
