import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Level, pino } from 'pino';
import { AccessLog, type AccessRecord } from './access-log.js';

function logTo(lines: string[], level: Level = 'info', base: { pid: number } | null = null) {
  return pino(
    { level, base, timestamp: () => ',"time":"2026-01-02T03:04:05.678Z"' },
    { write: (line: string) => void lines.push(line) },
  );
}

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const id = fc.stringMatching(/^[\w-]{8,64}$/);

const record: fc.Arbitrary<AccessRecord> = fc.record({
  requestId: maybe(id),
  traceId: maybe(fc.stringMatching(/^[0-9a-f]{32}$/)),
  keyId: maybe(id),
  operation: fc.constantFrom('listPets', 'unmatched'),
  method: maybe(fc.constantFrom('GET', 'M-SEARCH')),
  status: maybe(fc.integer({ min: 100, max: 599 })),
  code: maybe(fc.constantFrom('invalid_json', 'internal_error')),
  ms: fc.nat({ max: 10_000_000 }).map((thousandths) => thousandths / 1000),
  bytes: maybe(fc.nat()),
});

describe('AccessLog', () => {
  it('writes the line that pino would write', () => {
    fc.assert(
      fc.property(record, fc.constantFrom(null, { pid: 4711 }), (facts, base) => {
        const ours: string[] = [];
        const pinos: string[] = [];
        new AccessLog(logTo(ours, 'info', base)).write(facts);
        logTo(pinos, 'info', base).info(
          facts,
          facts.status === undefined ? 'client disconnected' : 'request',
        );
        expect(ours).toEqual(pinos);
      }),
    );
  });

  it('writes a quiet line on the level debug only', () => {
    const [facts] = fc.sample(record, 1) as [AccessRecord];
    const info: string[] = [];
    new AccessLog(logTo(info)).write({ ...facts, quiet: true });
    expect(info).toEqual([]);
    const debug: string[] = [];
    new AccessLog(logTo(debug, 'debug')).write({ ...facts, quiet: true });
    expect(debug.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 20, operation: facts.operation }),
    ]);
  });

  it('is silent where lines of its level are not wanted', () => {
    const lines: string[] = [];
    const [facts] = fc.sample(record, 1) as [AccessRecord];
    new AccessLog(logTo(lines, 'warn')).write(facts);
    expect(lines).toEqual([]);
  });
});
