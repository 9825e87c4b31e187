/** What the benchmark tells a peer. */
export const { DATABASE_URL, REDIS_URL, API_KEY_PEPPER } = process.env;
export const PORT = Number(process.env.PORT);
export const HOST = '127.0.0.1';
