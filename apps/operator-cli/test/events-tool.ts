import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { createEventsProgram } from '../src/events/events.program.js';
import { run } from '../src/run.js';
import type { Outcome } from './key-tool.js';

interface Circumstances {
  readonly url?: string;
  /** What a person types; nobody is there without it. */
  readonly typed?: string;
}

/** The tool for events in this process, on a database of its own for each file of tests. */
export class EventsTool {
  server!: TestPostgres;
  /** A session past the service. */
  admin!: Client;

  constructor() {
    beforeAll(async () => {
      this.server = await startTestPostgres();
      // Migrates the database.
      expect((await this.events(['status'])).exit).toBe(0);
      this.admin = new Client(this.server.url);
      await this.admin.connect();
    });
    afterAll(async () => {
      await this.admin.end();
      await this.server.stop();
    });
    beforeEach(async () => {
      await this.admin.query('truncate pets, outbox, events, inventory restart identity');
      await this.admin.query('update event_head set position = 0, first = 0');
    });
  }

  /** Runs a command to its end. */
  readonly events = async (args: readonly string[], { url, typed }: Circumstances = {}): Promise<Outcome> => {
    let out = '';
    let err = '';
    const exit = await run(createEventsProgram, args, {
      environment: { DATABASE_URL: url ?? this.server.url, API_KEY_PEPPER: 'the pepper of these tests' },
      out: (text) => (out += text),
      err: (text) => (err += text),
      input: Readable.from(typed === undefined ? [] : [Buffer.from(typed)]),
      interactive: typed !== undefined,
      colour: false,
      progress: false,
      user: 'anna',
    });
    return { exit, out, err };
  };

  /** Runs a command that must succeed; what it prints with `--json`, on one line. */
  readonly json = async (...args: string[]): Promise<unknown> => {
    const { exit, out, err } = await this.events([...args, '--json']);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out.trimEnd()).not.toContain('\n');
    return JSON.parse(out);
  };
}
