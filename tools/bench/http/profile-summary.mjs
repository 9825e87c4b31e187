import { median, table } from '../shared/table.mjs';

const NODE_MODULE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const OF_THE_HOUSE = /\/(?:libs|apps)\/([^/]+)\/dist\/(.*)$/;
const PEER = /\/tools\/bench\/http\/peers\/(.*)$/;

/**
 * Where the CPU time of a profile went: by package, and by function, as a share and per request.
 *
 * @param {object} profile as V8's profiler writes it
 * @param {number} microsecondsPerRequest of the server process, as the kernel counted them
 */
export function summarise(profile, microsecondsPerRequest, functions = 45) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const packages = new Map();
  const places = new Map();
  let busy = 0;
  // A gap in the samples is time in which the process did not run.
  const usual = median(profile.timeDeltas);
  profile.samples.forEach((id, i) => {
    const { callFrame } = nodes.get(id);
    if (callFrame.functionName === '(idle)') return;
    const time = Math.min(profile.timeDeltas[i], 4 * usual);
    busy += time;
    add(packages, packageOf(callFrame), time);
    add(places, placeOf(callFrame), time);
  });
  const rows = (times, count) =>
    [...times]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([name, time]) => [
        name,
        `${((100 * time) / busy).toFixed(1)} %`,
        ((time / busy) * microsecondsPerRequest).toFixed(1),
      ]);
  return [
    table(['package', 'share', 'µs per request'], rows(packages, 40)),
    table(['function', 'share', 'µs per request'], rows(places, functions)),
  ].join('\n\n');
}

function packageOf({ url, functionName }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native functions';
  if (url.startsWith('node:')) return `node:${url.slice(5).split('/').slice(0, 2).join('/')}`;
  const [, house] = OF_THE_HOUSE.exec(url) ?? [];
  if (house !== undefined && !NODE_MODULE.test(url)) return `@petstore/${house}`;
  return NODE_MODULE.exec(url)?.[1] ?? PEER.exec(url)?.[1] ?? url;
}

function placeOf({ url, functionName, lineNumber }) {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  const [, house, path] = OF_THE_HOUSE.exec(url) ?? [];
  const file =
    house !== undefined && !NODE_MODULE.test(url)
      ? `${house}/${path}`
      : url.replace(NODE_MODULE, '$1/').replace(PEER, '$1');
  return `${name}  ${file}:${lineNumber + 1}`;
}

function add(times, name, time) {
  times.set(name, (times.get(name) ?? 0) + time);
}
