import pg from 'pg';
import {
  addStatement,
  Callers,
  DATABASE_URL,
  findStatement,
  linkOf,
  pageStatement,
  tightest,
} from './common.mjs';
import { chargesOn, serve } from './serve.mjs';

/**
 * Node's own HTTP server with what saves time: pipelined statements, rows written to JSON as they arrive, and one call to
 * Redis for all decisions of a tick of the event loop.
 */

/** A named statement that writes its rows to JSON text as they arrive, and asks for no description of them. */
class PetQuery extends pg.Query {
  json = '';
  count = 0;
  lastId = '';

  constructor(statement, limit, callback) {
    super(statement, callback);
    this.limit = limit;
  }

  prepare(connection) {
    const { name, text, values } = this;
    if (!this.hasBeenParsed(connection)) {
      connection.parse({ text, name });
      connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values, valueMapper: String });
    connection.execute({});
    connection.sync();
  }

  handleDataRow({ fields: [id, name, categoryId, status] }) {
    if (this.count++ >= this.limit) return;
    const pet = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
    this.json = this.json === '' ? pet : `${this.json},${pet}`;
    this.lastId = id;
  }

  handleReadyForQuery() {
    this.callback(null, this);
  }
}

const client = new pg.Client({ connectionString: DATABASE_URL, pipeline: true });
await client.connect();
let corked = false;

/** The statements of one tick leave in one write. */
function cork() {
  if (corked) return;
  corked = true;
  client.connection.stream.cork();
  setImmediate(() => {
    corked = false;
    client.connection.stream.uncork();
  });
}

/** Animals, as a {@link PetQuery} that is done. */
function query(statement, limit) {
  cork();
  return new Promise((resolve, reject) => {
    client.query(new PetQuery(statement, limit, (error, done) => (error ? reject(error) : resolve(done))));
  });
}

const callers = new Callers((statement) => {
  cork();
  return client.query(statement);
});

const chargeCallers = chargesOn('bare');

/** The requests of this tick that wait for a decision, by caller. */
let waiting = new Map();

function consume(caller) {
  if (waiting.size === 0) setImmediate(() => void chargeAll());
  return new Promise((resolve, reject) => {
    const others = waiting.get(caller);
    if (others === undefined) waiting.set(caller, [{ resolve, reject }]);
    else others.push({ resolve, reject });
  });
}

async function chargeAll() {
  const batch = [...waiting];
  waiting = new Map();
  try {
    const results = await chargeCallers(batch.map(([caller, { length }]) => ({ caller, requests: length })));
    batch.forEach(([caller, requests], n) => {
      const [fits, minute, minuteLeft, day, dayLeft] = results[n];
      requests.forEach(({ resolve }, i) => {
        const more = Math.min(i + 1, fits);
        const used = [minute + more, minuteLeft, day + more, dayLeft];
        resolve({ admitted: i < fits, ...tightest(caller, used) });
      });
    });
  } catch (error) {
    for (const [, requests] of batch) for (const { reject } of requests) reject(error);
  }
}

serve({
  callers,
  consume,
  list: async (page) => {
    const { json, lastId, count } = await query(pageStatement(page), page.limit);
    return { json: `[${json}]`, link: linkOf(page, lastId, count > page.limit) };
  },
  find: async (id) => {
    const statement = findStatement(id);
    const found = statement && (await query(statement, 1));
    return found?.count === 1 ? found.json : undefined;
  },
  add: async (pet) => {
    const { json, lastId } = await query(addStatement(pet), 1);
    return { json, id: lastId };
  },
});
