import type { Cluster, Redis } from 'ioredis';
import { CONSUME_LUA } from './consume.lua.js';
import type { SubjectState } from './rate-limit-result.js';
import type { BanPolicy, RateLimitSubject } from './subject.js';

const COMMAND = 'consumeRateLimits';

/** Bytes of a reply: the time of the decisions; of each subject of each group. */
const TIME_BYTES = 8;
const SUBJECT_BYTES = 31;

/** Requests that consume from the same subjects. */
export interface RequestGroup {
  readonly subjects: readonly RateLimitSubject[];
  /** How many there are; 0 only looks. */
  readonly wanted: number;
  /** Whether the bans of the subjects are lifted. */
  readonly liftsBan?: boolean;
}

/** A subject after the decision about the requests of a group. */
export interface SubjectDecision extends SubjectState {
  /** How many of the requests were admitted: the first ones. The same for all subjects of the group. */
  readonly admitted: number;
  /** Whether it refused the others. */
  readonly isRefusing: boolean;
  /** Whether its ban began with this decision, and how many of the refused requests came before it. */
  readonly banStarted: boolean;
  readonly refusedBeforeBan: number;
  /** Whether Redis had lost a part of what it had counted, so that the subject began anew. */
  readonly isLost: boolean;
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

/** Runs {@link CONSUME_LUA}, by its hash where the server knows it. */
export class ConsumeScript {
  private readonly runCommand: RunCommand;
  private readonly policy: string;

  constructor(
    client: Redis | Cluster,
    private readonly options: ConsumeScriptOptions,
  ) {
    client.defineCommand(COMMAND, { lua: CONSUME_LUA });
    this.runCommand = (Reflect.get(client, `${COMMAND}Buffer`) as RunCommand).bind(client);
    this.policy = encodePolicy(options.banPolicy);
  }

  /** The name in Redis of a subject's state: its slot is that of the subject that it is a part of. */
  keyOf({ id, partOf }: RateLimitSubject): string {
    return `${this.options.keyPrefix}${partOf === undefined ? `{${id}}` : `{${partOf}}${id}`}`;
  }

  /** The decisions about groups, in their order: of each subject. On a cluster, all keys have to be of one slot. */
  async run(groups: readonly RequestGroup[]): Promise<SubjectDecision[][]> {
    const keys = groups.flatMap(({ subjects }) => subjects).flatMap((subject) => this.keysOf(subject));
    const { clock } = this.options;
    const now = clock ? String(Math.floor(clock() * 1000)) : '';
    const args = groups.map(encodeGroup);
    return readReply(await this.runCommand(keys.length, ...keys, now, this.policy, ...args), groups);
  }

  private keysOf(subject: RateLimitSubject): string[] {
    const key = this.keyOf(subject);
    return [key, `${key}:minute`, `${key}:day`];
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
function readReply(reply: unknown, groups: readonly RequestGroup[]): SubjectDecision[][] {
  const count = groups.reduce((sum, { subjects }) => sum + subjects.length, 0);
  if (!Buffer.isBuffer(reply) || reply.length !== TIME_BYTES + count * SUBJECT_BYTES)
    throw new Error('a reply that the script does not give');
  const now = reply.readDoubleLE(0) / 1000;
  let at = TIME_BYTES - SUBJECT_BYTES;
  return groups.map(({ subjects }) => subjects.map(() => readDecision(reply, (at += SUBJECT_BYTES), now)));
}

function readDecision(reply: Buffer, at: number, now: number): SubjectDecision {
  const flags = reply.readUInt8(at + 30);
  return {
    now,
    admitted: reply.readUInt32LE(at),
    refusedBeforeBan: reply.readUInt32LE(at + 4),
    minuteUsed: reply.readUInt32LE(at + 8),
    minuteResetMs: reply.readUInt32LE(at + 12),
    dayUsed: reply.readUInt32LE(at + 16),
    dayResetMs: reply.readUInt32LE(at + 20),
    banMs: reply.readUInt32LE(at + 24),
    bans: reply.readUInt16LE(at + 28),
    banStarted: (flags & 1) === 1,
    isLost: (flags & 2) === 2,
    isRefusing: (flags & 4) === 4,
  };
}
