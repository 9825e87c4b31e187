// The report of a rehearsal, in Markdown.
import { cpus, totalmem } from 'node:os';

/** What went wrong in a round: lists, each of which is empty if nothing did. */
const FAULTS = ['lost', 'doubled', 'feed', 'webhooks'];

/** The columns, each with its cell of the results of one kind of round. */
const COLUMNS = [
  ['times', (done) => done.length],
  ['written', sum(({ written }) => written)],
  ['503', sum(({ unavailable }) => unavailable)],
  ['409', sum(({ inProgress }) => inProgress)],
  ['others', sum(({ otherCount }) => otherCount)],
  ...FAULTS.map((fault) => [fault, sum((result) => result[fault].length)]),
  ['minute', (done) => Math.max(...done.map(({ mostInAMinute }) => mostInAMinute))],
  ['first write', range('firstWriteMs')],
  ['promotion', range('promotedMs')],
  ['then first write', range('afterPromotionMs')],
  ['writes out', range('writeGapMs')],
  ['reads by replicas out', range('replicaReadGapMs')],
  ['reads by the primary out', range('primaryReadGapMs')],
];

function sum(valueOf) {
  return (done) => done.map(valueOf).reduce((a, b) => a + b, 0);
}

/** Median and maximum. */
function range(member) {
  return (done) => {
    const values = done.map((result) => result[member]).filter((value) => value !== undefined);
    const sorted = values.sort((a, b) => a - b);
    return sorted.length === 0 ? '' : `${sorted[sorted.length >> 1]}, ${sorted.at(-1)}`;
  };
}

export function isClean(result) {
  return !result.failed && FAULTS.every((fault) => result[fault].length === 0) && result.otherCount === 0;
}

export function report(results) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  const head = ['round', ...COLUMNS.map(([heading]) => heading)];
  const rows = [...new Set(results.map(({ name }) => name))].map((name) => {
    const done = results.filter((result) => result.name === name && !result.failed);
    return row([name, ...COLUMNS.map(([, cellOf]) => cellOf(done))]);
  });
  const unclean = results
    .filter((result) => !isClean(result))
    .map(({ name, failed, others = [], ...result }) => {
      const faults = FAULTS.flatMap((fault) => result[fault] ?? []).slice(0, 5);
      return `- ${name}: ${[failed, ...others, ...faults.map(String)].filter(Boolean).join('; ')}`;
    });
  const gib = Math.round(totalmem() / 2 ** 30);
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0].model}, ${gib} GiB, Node.js ${process.versions.node}.`,
    '',
    row(head),
    row(head.map(() => '---')),
    ...rows,
    '',
    ...(unclean.length > 0 ? ['Rounds that were not clean:', '', ...unclean] : ['All rounds were clean.']),
  ].join('\n');
}
