import type { NewKey } from '@petstore/api-key';
import type { Client } from './client.js';
import type { RunningService } from './running-service.js';

/** The most requests of a Free key until it is refused with any code: its limit, the ban's, and what a slow moment adds. */
const MOST_REQUESTS = 60 + 100 + 100;

/** Clients that several tests send with, each made when it is first asked for. */
export class SharedClients {
  private readonly made = new Map<string, Promise<Client>>();

  /** @param running the service of the keys; it is there when a client is asked for */
  constructor(private readonly running: () => RunningService) {}

  /** A client whose key has only these scopes. */
  withScopes(scopes: NewKey['scopes'] = []): Promise<Client> {
    return this.once(`scopes ${scopes.join()}`, { scopes });
  }

  /** A client whose Free key is refused with this code now. @param share who else sends with it: refusals add up to bans */
  async refused(code: string, share = ''): Promise<Client> {
    const free = await this.once(`${code} ${share}`, { plan: 'free' });
    for (let i = 0; i < MOST_REQUESTS; i++) {
      const { text } = await free.get('/v1/unknown');
      if (text.includes(`"${code}"`)) break;
    }
    return free;
  }

  private once(what: string, key: Partial<NewKey>): Promise<Client> {
    const client = this.made.get(what) ?? this.running().client(key);
    this.made.set(what, client);
    return client;
  }
}
