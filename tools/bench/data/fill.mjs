import { parseArgs } from 'node:util';
import { fill, migrate, recount } from '../shared/database.mjs';

/** `node tools/bench/data/fill.mjs`: many animals, fast: about 15 s a million. */

const USAGE = `node tools/bench/data/fill.mjs --rows N [--database postgresql://...]

  --rows N          how many animals there shall be; those that are there are kept
  --database URL    the database; DATABASE_URL unless given
`;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string' },
    database: { type: 'string', default: process.env.DATABASE_URL },
    help: { type: 'boolean', default: false },
  },
});

const rows = Number(options.rows);
if (options.help || options.database === undefined || !(rows >= 1 && rows <= 1e9)) {
  process.stdout.write(USAGE);
  process.exitCode = options.help ? 0 : 1;
} else {
  await migrate(options.database);
  await fill(options.database, rows, (done) => {
    process.stderr.write(`${done.toLocaleString('en')} of ${rows.toLocaleString('en')}\n`);
  });
  await recount(options.database);
}
