import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTraceparent } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('parseTraceparent', () => {
  it('reads trace, parent and the sampled flag', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      traceId: TRACE,
      parentId: SPAN,
      sampled: true,
    });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-02`)?.sampled).toBe(false);
  });

  it('reads what it knows of a later version', () => {
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes`)?.traceId).toBe(TRACE);
  });

  it.each([
    ['no header', undefined],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['version 00 with more than its four parts', `00-${TRACE}-${SPAN}-01-more`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['two fields joined', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])('ignores %s', (_, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('gives back nothing but hexadecimal digits, whatever it is sent', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(parseTraceparent(header)?.traceId ?? TRACE).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
  });
});
