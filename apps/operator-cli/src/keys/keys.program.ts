import { PETSTORE_SCOPES } from '@petstore/api';
import { program } from '../command.js';
import { revokeCommand, unbanCommand, updateCommand } from './change.commands.js';
import { createCommand, rotateCommand } from './issue.commands.js';
import { listCommand, showCommand } from './read.commands.js';

const longest = Math.max(...PETSTORE_SCOPES.all.map(({ length }) => length));
const scopes = PETSTORE_SCOPES.all
  .map((scope) => `  ${scope.padEnd(longest)}  ${PETSTORE_SCOPES.grantsOf(scope) ?? ''}`)
  .join('\n');

const HELP = `
A day with keys:
  $ npm run key -- create --name "Shop website" --plan pro     issue a key; it is shown once
  $ npm run key -- list                                        who uses how much of the plan
  $ npm run key -- show key_...                                one key: secrets, use, every change
  $ npm run key -- update key_... --plan business              more requests, from the next one on
  $ npm run key -- rotate key_...                              a new secret; the old one is accepted for 24 hours
  $ npm run key -- revoke key_...                              refused everywhere, permanently

Plans:  free 60 a minute, 1,000 a day · pro 300, 10,000 · business 1,000, 100,000 · enterprise its own
Scopes:
${scopes}

Works beside the running service, on the database in DATABASE_URL (with API_KEY_PEPPER) or the embedded one
in PETSTORE_DATA_DIR. A change holds everywhere within 10 seconds, mostly at once.

Every command takes --json for scripts (npm run --silent key -- list --json) and --help.
Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong.`;

/** The command line of `npm run key`. */
export const createProgram = program(
  'npm run key --',
  'Issues, lists, changes and revokes the API keys of the Pet Store Service.',
  HELP,
  [createCommand, listCommand, showCommand, updateCommand, rotateCommand, revokeCommand, unbanCommand],
);
