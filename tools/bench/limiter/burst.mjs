import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 2_000;
const LIMIT = 60;
const PHASES = 10;

/**
 * The most that a contender admits in any true window, as a share of the limit: nearly a full window's worth
 * just before a window's end, then as much as it lets through, begun at ten different times of the minute.
 * The minute lasts two seconds here.
 */
export async function burstOf(create, url) {
  const plan = { minuteMs: MINUTE_MS, perMinute: LIMIT, perDay: 1_000_000 };
  const contender = await create(url, plan);
  const trials = Array.from({ length: PHASES }, (_, i) => trial(contender, `burst:${i}`, i / PHASES));
  const most = Math.max(...(await Promise.all(trials)));
  await contender.close();
  return most / LIMIT;
}

async function trial({ allow }, key, phase) {
  const admitted = [];
  const attempt = async () => {
    if (await allow(key)) admitted.push(performance.now());
  };
  const start = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + phase * MINUTE_MS;
  const until = (windows) => sleep(start + windows * MINUTE_MS - Date.now());
  await until(0);
  await attempt();
  await until(0.97);
  await Promise.all(Array.from({ length: LIMIT - 1 }, attempt));
  await until(1.01);
  while (Date.now() < start + 2.2 * MINUTE_MS) {
    await attempt();
    await sleep(4);
  }
  // A little less than the window, because the responses are dated here and not where they were made.
  return mostWithin(admitted, MINUTE_MS * 0.99);
}

function mostWithin(times, length) {
  let most = 0;
  let first = 0;
  for (let last = 0; last < times.length; last++) {
    while (times[last] - times[first] > length) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
