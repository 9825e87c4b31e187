import { describe, expect, it } from '@jest/globals';
import { verdictText } from '../http/verdict-text.mjs';
import { compare, ratiosOf, type RunRecord } from '../http/verdict.mjs';

const quiet = [2, 2.02, 1.98, 2.01, 1.99];
const restless = [2, 2.2, 1.8, 2.1, 1.7];

describe('compare', () => {
  it.each([
    { because: 'nothing changed', then: quiet, now: quiet, worse: false },
    { because: 'it grew by less than 10 %', then: quiet, now: grown(quiet, 1.09), worse: false },
    { because: 'it grew by more than 10 %', then: quiet, now: grown(quiet, 1.11), worse: true },
    { because: 'it fell', then: quiet, now: grown(quiet, 0.5), worse: false },
    {
      because: 'the rounds of this run deviate by more',
      then: quiet,
      now: grown(restless, 1.2),
      worse: false,
    },
    { because: 'the rounds of the release did', then: restless, now: grown(quiet, 1.2), worse: false },
    { because: 'it grew by more than they deviate', then: restless, now: grown(quiet, 1.4), worse: true },
    { because: 'one odd round is not the median', then: quiet, now: [...quiet.slice(1), 9], worse: false },
    {
      because: 'one odd round hides nothing',
      then: quiet,
      now: [...grown(quiet, 1.3).slice(1), 9],
      worse: true,
    },
  ])('says worse: $worse when $because', ({ then, now, worse }) => {
    const { cases } = compare(['get'], record({ get: then }), record({ get: now }));
    expect(cases).toEqual([expect.objectContaining({ name: 'get', worse })]);
  });

  it('names the case that got worse, and no other', () => {
    const then = record({ get: quiet, create: quiet, '401': quiet });
    const now = record({ get: quiet, create: grown(quiet, 1.25), '401': grown(quiet, 0.8) });
    const { cases } = compare(['get', 'create', '401'], then, now);
    expect(cases.map(({ name, worse }) => [name, worse])).toEqual([
      ['get', false],
      ['create', true],
      ['401', false],
    ]);
    expect(cases[1]?.then).toBe(2);
    expect(cases[1]?.change).toBeCloseTo(0.25);
    expect(cases[1]?.tolerance).toBe(0.1);
  });

  it('does not judge a case that the release did not have', () => {
    const { cases, loosely } = compare(['list 50'], record({ get: quiet }), record({ 'list 50': quiet }));
    expect(cases).toEqual([expect.objectContaining({ then: undefined, now: 2, worse: false })]);
    expect(loosely).toEqual([]);
  });

  it.each([
    { figure: 'redisUs', name: 'CPU of Redis' },
    { figure: 'postgresUs', name: 'CPU of PostgreSQL' },
    { figure: 'rssMiB', name: 'resident memory' },
  ])('watches $name loosely', ({ figure, name }) => {
    const names = ['get', 'create'];
    const then = record({ get: quiet, create: quiet });
    const verdictAt = (factor: number) =>
      compare(names, then, record({ get: quiet, create: quiet }, { [figure]: 10 * factor }))
        .loosely.filter(({ worse }) => worse)
        .map((row) => row.name);
    expect(verdictAt(1.4)).toEqual([]);
    expect(verdictAt(1.6)).toEqual([name]);
  });
});

describe('ratiosOf', () => {
  it('divides what was measured in the same round', () => {
    const measurement = (contender: string, caseName: string, server: number) => ({
      contender,
      caseName,
      result: { cpu: { server } },
    });
    expect(
      ratiosOf([
        measurement('ours', 'get', 100),
        measurement('floor-tricks', 'get', 50),
        measurement('fastify', 'get', 1),
        measurement('ours', '429', 90),
        measurement('floor-tricks', '429', 30),
        measurement('ours', 'get', 300),
        measurement('floor-tricks', 'get', 100),
      ]),
    ).toEqual({ get: [2, 3], '429': [3] });
  });
});

describe('verdictText', () => {
  const text = (now: Record<string, number[]>) => {
    const then = record({ get: quiet, create: quiet });
    return verdictText(compare(Object.keys(now), then, record(now)), '1.2.3');
  };

  it('says that nothing got worse', () => {
    expect(text({ get: quiet, create: quiet })).toMatch(/\n\nNothing got worse since 1\.2\.3\.$/);
  });

  it('says what got worse, by how much, and what is noise', () => {
    expect(text({ get: quiet, create: grown(quiet, 1.5) })).toMatch(
      /\n\ncreate got worse: 3\.00 times the bare server instead of 2\.00, \+50 %, where up to \+10 % is noise\.$/,
    );
  });

  it('says where the noise hides what one would want to see', () => {
    expect(text({ get: [1, 2, 3], create: quiet })).toContain('get: the rounds differ so much');
  });

  it('shows a new case without a change', () => {
    expect(text({ patch: quiet })).toMatch(/\| patch +\| +\| +2\.00 \| +new \|/);
  });
});

function grown(ratios: number[], factor: number): number[] {
  return ratios.map((ratio) => ratio * factor);
}

/** A record in which everything that is watched loosely is the same, but for `ours`. */
function record(ratios: Record<string, number[]>, ours: Record<string, number> = {}): RunRecord {
  const same = { redisUs: 10, postgresUs: 10, rssMiB: 10 };
  const figures = (own: typeof same) => Object.fromEntries(Object.keys(ratios).map((name) => [name, own]));
  return {
    conditions: {},
    figures: { ours: figures({ ...same, ...ours }), 'floor-tricks': figures(same) },
    ratios,
  };
}
