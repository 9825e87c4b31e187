import { Redis } from 'ioredis';
import pg from 'pg';
import {
  addStatement,
  Callers,
  DATABASE_URL,
  DAY_MS,
  findStatement,
  linkOf,
  MINUTE_MS,
  pageStatement,
  REDIS_URL,
  tightest,
} from './common.mjs';
import { serve } from './serve.mjs';

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

// For every caller: how many of its requests fit into both windows; those are counted, the others are not.
// Returns five numbers for each: those admitted, then requests before and milliseconds to the end of both windows.
const SCRIPT = `
local out = {}
for c = 0, #KEYS / 2 - 1 do
  local used, left = {}, {}
  local fits = tonumber(ARGV[3 * c + 3])
  for i = 1, 2 do
    local key = KEYS[2 * c + i]
    used[i] = tonumber(redis.call('get', key) or '0')
    left[i] = redis.call('pttl', key)
    fits = math.min(fits, math.max(0, tonumber(ARGV[3 * c + i]) - used[i]))
  end
  for i = 1, 2 do
    local window = i == 1 and ${MINUTE_MS} or ${DAY_MS}
    if fits > 0 then
      local key = KEYS[2 * c + i]
      if redis.call('incrby', key, fits) == fits then redis.call('pexpire', key, window) end
    end
    if left[i] < 0 then left[i] = window end
  end
  local at = #out
  out[at + 1], out[at + 2], out[at + 3], out[at + 4], out[at + 5] = fits, used[1], left[1], used[2], left[2]
end
return out
`;
const redis = new Redis(REDIS_URL);
redis.defineCommand('charge', { lua: SCRIPT });

/** The requests of this tick that wait for a decision, by caller. */
let waiting = new Map();

function charge(caller) {
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
  const keys = batch.flatMap(([{ id }]) => [`bare:{${id}}:m`, `bare:{${id}}:d`]);
  const args = batch.flatMap(([{ perMinute, perDay }, requests]) => [perMinute, perDay, requests.length]);
  try {
    const reply = await redis.charge(keys.length, ...keys, ...args);
    batch.forEach(([caller, requests], n) => {
      const [fits, minute, minuteLeft, day, dayLeft] = reply.slice(5 * n, 5 * n + 5);
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
  charge,
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
