import { expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { type RequestLine, RequestLog } from './request-log.js';

const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined });

const line: fc.Arbitrary<RequestLine> = fc.record({
  requestId: optional(fc.string({ unit: 'binary' })),
  traceId: optional(fc.string()),
  keyId: optional(fc.string()),
  operation: fc.constantFrom('listPets', 'unmatched'),
  method: optional(fc.constantFrom('GET', 'M-SEARCH')),
  status: optional(fc.integer({ min: 100, max: 599 })),
  code: optional(fc.constantFrom('pet_not_found', 'bad_request')),
  ms: fc.integer({ min: 0, max: 1e9 }).map((us) => us / 1_000),
  bytes: optional(fc.nat()),
});

it('writes the bytes that pino would write', () => {
  jest.useFakeTimers({ now: 1_795_000_000_000 });
  try {
    const lines: string[] = [];
    const destination = { write: (text: string) => void lines.push(text) };
    const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
    const requests = new RequestLog(log, destination);
    fc.assert(
      fc.property(line, fc.nat(2), (record, passed) => {
        jest.advanceTimersByTime(passed);
        lines.length = 0;
        log.info(record, 'request');
        requests.write('info', record, 'request');
        requests.write('debug', record, 'request');
        expect(lines).toEqual([lines[0], lines[0]]);
      }),
    );
  } finally {
    jest.useRealTimers();
  }
});
