// What the help of several commands says.

/** Help of commands that use a database. */
export const DATABASE_HELP = `Works beside the running service, on the database in DATABASE_URL (with API_KEY_PEPPER) or the embedded one
in PETSTORE_DATA_DIR.`;

/** Exit codes in the help of commands; a command that has more adds it. */
export const EXIT_HELP = 'Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong';
