import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface Said {
  readonly pid?: number;
  readonly url?: string;
  readonly row?: number;
  readonly error?: string;
  readonly message?: string;
  readonly done?: boolean;
}

/** A process of its own that starts the database of a folder: see service.mjs. */
export class TestService {
  readonly said: Said[] = [];
  private readonly child: ChildProcessByStdio<null, Readable, null>;
  private readonly gone: Promise<unknown>;
  private received: () => void = () => undefined;

  /** @param user runs the process under this user id instead of ours; needs root. */
  constructor(what: 'write' | 'once', dataDir: string, user?: number) {
    const file = fileURLToPath(new URL('service.mjs', import.meta.url));
    this.child = spawn(process.execPath, [file, what, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    this.gone = once(this.child, 'close');
    const lines = createInterface({ input: this.child.stdout });
    lines.on('line', (line) => {
      this.said.push(JSON.parse(line) as Said);
      this.received();
    });
    lines.on('close', () => {
      this.received();
    });
  }

  /** Waits until something is said for which `wanted` holds. */
  async until(wanted: (said: Said) => boolean): Promise<Said> {
    for (;;) {
      const found = this.said.find(wanted);
      if (found) return found;
      if (this.child.exitCode !== null) throw new Error(`it ended: ${JSON.stringify(this.said)}`);
      await new Promise<void>((resolve) => (this.received = resolve));
    }
  }

  /** The last row that the database has acknowledged. */
  get lastRow(): number {
    return this.said.findLast(({ row }) => row !== undefined)?.row ?? 0;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.gone;
  }

  async end(): Promise<Said | undefined> {
    await this.gone;
    return this.said.at(-1);
  }
}
