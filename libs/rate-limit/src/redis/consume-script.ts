import { readFileSync } from 'node:fs';
import type { Decision, SubjectState } from '../rate-limit-result.js';
import type { BanPolicy, RateLimitSubject } from '../subject.js';
import type { IoredisClient } from './ioredis-client.js';

/** The script that decides in Redis; it says what its arguments mean. */
const SCRIPT = readFileSync(new URL('../../lua/consume.lua', import.meta.url), 'utf8');
const COMMAND = 'consumeRateLimits';

/** Bytes of a reply: the time of the decisions; of each group; of each of its subjects. */
const TIME_BYTES = 8;
const GROUP_BYTES = 5;
const SUBJECT_BYTES = 27;

/** Requests that consume from the same subjects. */
export interface RequestGroup {
  readonly subjects: readonly RateLimitSubject[];
  /** How many there are; 0 only looks. */
  readonly wanted: number;
  /** Whether the bans of the subjects are lifted. */
  readonly liftsBan?: boolean;
}

/** How the script is run. */
export interface ConsumeScriptOptions {
  /** What the names of all keys begin with. */
  readonly keyPrefix: string;
  readonly banPolicy: BanPolicy | undefined;
  /** For tests: Unix time in milliseconds, instead of the server's. */
  readonly clock: (() => number) | undefined;
}

type RunCommand = (keys: number, ...all: readonly (string | number)[]) => Promise<unknown>;

/** Runs lua/consume.lua, by its hash where the server knows it. */
export class ConsumeScript {
  private readonly runCommand: RunCommand;
  private readonly policy: string;

  constructor(
    client: IoredisClient,
    private readonly options: ConsumeScriptOptions,
  ) {
    client.defineCommand(COMMAND, { lua: SCRIPT });
    this.runCommand = (Reflect.get(client, `${COMMAND}Buffer`) as RunCommand).bind(client);
    this.policy = encodePolicy(options.banPolicy);
  }

  /** The name in Redis of a subject's state: its slot is that of the subject that it is a part of. */
  keyOf({ id, partOf }: RateLimitSubject): string {
    return `${this.options.keyPrefix}${partOf === undefined ? `{${id}}` : `{${partOf}}${id}`}`;
  }

  /** The decisions about groups, in their order. On a cluster, all keys have to be of one slot. */
  async run(groups: readonly RequestGroup[]): Promise<Decision[]> {
    const keys: string[] = [];
    const args: string[] = [];
    for (const group of groups) {
      for (const subject of group.subjects) {
        const key = this.keyOf(subject);
        keys.push(key, `${key}:minute`, `${key}:day`);
      }
      args.push(encodeGroup(group));
    }
    const { clock } = this.options;
    const now = clock ? String(Math.floor(clock() * 1000)) : '';
    return readReply(await this.runCommand(keys.length, ...keys, now, this.policy, ...args), groups);
  }
}

function encodePolicy(policy: BanPolicy | undefined): string {
  if (policy === undefined) return '';
  const { refusals, withinMs, firstMs, factor, repeatMs, longestMs } = policy;
  return [refusals, withinMs * 1000, firstMs * 1000, factor, repeatMs * 1000, longestMs * 1000].join(' ');
}

function encodeGroup({ wanted, subjects, liftsBan = false }: RequestGroup): string {
  let text = String(wanted);
  for (const { limits, bannable = false } of subjects)
    text += ` ${limits.perMinute} ${limits.perDay} ${liftsBan ? 2 : bannable ? 1 : 0}`;
  return text;
}

/** @throws Error when it is not the reply of the script: what listens at an address need not be a Redis */
function readReply(reply: unknown, groups: readonly RequestGroup[]): Decision[] {
  const bytes = groups.reduce((sum, { subjects }) => sum + GROUP_BYTES + subjects.length * SUBJECT_BYTES, 0);
  if (!Buffer.isBuffer(reply) || reply.length !== TIME_BYTES + bytes)
    throw new Error('a reply that the script does not give');
  const now = reply.readDoubleLE(0) / 1000;
  let at = TIME_BYTES;
  return groups.map(({ subjects }) => {
    const [admitted, refusedBy] = [reply.readUInt32LE(at), reply.readUInt8(at + 4) - 1];
    at += GROUP_BYTES;
    const states = subjects.map(() => {
      const state = readState(reply, at, now);
      at += SUBJECT_BYTES;
      return state;
    });
    return { admitted, refusedBy, states };
  });
}

function readState(reply: Buffer, at: number, now: number): SubjectState {
  const flags = reply.readUInt8(at + 26);
  return {
    now,
    refusedBeforeBan: reply.readUInt32LE(at),
    minuteUsed: reply.readUInt32LE(at + 4),
    minuteResetMs: reply.readUInt32LE(at + 8),
    dayUsed: reply.readUInt32LE(at + 12),
    dayResetMs: reply.readUInt32LE(at + 16),
    banMs: reply.readUInt32LE(at + 20),
    bans: reply.readUInt16LE(at + 24),
    banStarted: (flags & 1) === 1,
    isLost: (flags & 2) === 2,
  };
}
