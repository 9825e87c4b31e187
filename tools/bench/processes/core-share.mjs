import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Length of the turns in which the kernel gives out CPU time, in microseconds: so short that nobody waits for long. */
const PERIOD_US = 10_000;

/** A control group of Linux whose processes together get so much of the cores' time and no more. Needs root. */
export class CoreShare {
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * @param {string} name of the group
   * @param {number} share in cores: 0.4 of one, 2 for two whole ones
   */
  static async make(name, share) {
    const quota = Math.round(share * PERIOD_US);
    try {
      const { root, version } = await cpuController();
      const folder = join(root, name);
      if (version === 2) await writeFile(join(root, 'cgroup.subtree_control'), '+cpu');
      // One may be left of a run that was killed.
      await mkdir(folder, { recursive: true });
      const made = new CoreShare(folder);
      if (version === 2) await made.#set('cpu.max', `${quota} ${PERIOD_US}`);
      else {
        await made.#set('cpu.cfs_period_us', PERIOD_US);
        await made.#set('cpu.cfs_quota_us', quota);
      }
      return made;
    } catch (error) {
      throw new Error('A share of a core needs root, and control groups for CPU time.', { cause: error });
    }
  }

  /** @param {number} pid of a process, with all its threads; those that it makes later inherit it */
  async add(pid) {
    await this.#set('cgroup.procs', pid);
  }

  /** Once its processes have ended. */
  async remove() {
    // The kernel takes a moment to notice.
    for (let tries = 0; ; tries++) {
      try {
        await rmdir(this.#folder);
        return;
      } catch (error) {
        if (error.code !== 'EBUSY' || tries === 50) throw error;
        await sleep(20);
      }
    }
  }

  #set(file, value) {
    return writeFile(join(this.#folder, file), String(value));
  }
}

/** Where CPU time is divided: version 2 of control groups, or version 1 where that has it. */
async function cpuController() {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
  const first = mounts.find(([, , type, options]) => type === 'cgroup' && options.split(',').includes('cpu'));
  if (first !== undefined) return { root: first[1], version: 1 };
  const second = mounts.find(([, , type]) => type === 'cgroup2');
  if (second === undefined) throw new Error('none are mounted');
  return { root: second[1], version: 2 };
}
