import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestPostgres } from './postgres.js';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

const SOCKET = '.s.PGSQL.5432';

/** An address that leads to one PostgreSQL server after the other: a folder with a link to its socket. */
export class MovableAddress {
  private constructor(
    private readonly folder: TemporaryFolder,
    /** The URL of the first server, at this address. */
    readonly url: string,
  ) {}

  static async of(server: TestPostgres): Promise<MovableAddress> {
    const folder = await temporaryFolder('address');
    const url = new URL(server.url);
    url.searchParams.set('host', folder.path);
    const address = new MovableAddress(folder, url.href);
    await address.leadTo(server);
    return address;
  }

  /** New connections are made to this server. */
  async leadTo({ url }: TestPostgres): Promise<void> {
    const next = join(this.folder.path, 'next');
    await symlink(join(new URL(url).searchParams.get('host') ?? '', SOCKET), next);
    await rename(next, join(this.folder.path, SOCKET));
  }

  remove(): Promise<void> {
    return this.folder.remove();
  }
}
