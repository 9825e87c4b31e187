import { count, counted, dayText, element, svgElement, table } from './key-elements.js';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Units of the drawing, which is stretched to the width of the page. */
const DAY_WIDTH = 10;
const BAR_WIDTH = 8;
const HEIGHT = 100;

/** So that one request beside a million is seen. */
const MIN_BAR = 1.5;

/** All of the last 30 days, oldest first: those without use, which the API leaves out, have zeros. */
export function allDays(days, at) {
  const used = new Map(days.map((day) => [day.date, day]));
  // A clock of a reader that is behind hides no day.
  const last = Math.max(
    Date.parse(at.toISOString().slice(0, 10)),
    ...days.map(({ date }) => Date.parse(date)),
  );
  return Array.from({ length: DAYS }, (_, i) => {
    const date = new Date(last - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    return used.get(date) ?? { date, requests: 0, refused: 0 };
  });
}

/** The use of 30 days as bars, and as a table for who cannot see or compare bars. */
export function useCard(usage, at) {
  const days = allDays(usage.days, at);
  const sum = (member) => days.reduce((total, day) => total + day[member], 0);
  const [requests, refused] = [sum('requests'), sum('refused')];
  const said = `${counted(requests, 'request')} in 30 days, ${count(refused)} of them refused with 429`;
  const top = scaleOf(Math.max(...days.map((day) => day.requests)));
  return element(
    'section',
    { class: 'card use', 'aria-labelledby': 'use' },
    element('h3', { id: 'use' }, 'Use in 30 days'),
    element(
      'p',
      { class: 'total' },
      element('strong', {}, count(requests)),
      ` ${said.replace(/^\S+ /, '')}.`,
    ),
    element(
      'div',
      { class: 'chart' },
      element(
        'div',
        { class: 'scale', 'aria-hidden': 'true' },
        ...[top, top / 2, 0].map((n) => element('span', {}, count(n))),
      ),
      drawing(days, top, `Bar chart: ${said}. ${mostOf(days)} The table below has the numbers of each day.`),
      element(
        'div',
        { class: 'dates', 'aria-hidden': 'true' },
        ...[days[0], days[DAYS / 2], days[DAYS - 1]].map(({ date }) =>
          element('span', {}, dayText(date).replace(/ \d+$/, '')),
        ),
      ),
    ),
    element(
      'p',
      { class: 'legend note' },
      element('span', { class: 'swatch admitted' }),
      'admitted ',
      element('span', { class: 'swatch refused' }),
      'refused with 429. Days are those of UTC; the numbers are at most five seconds behind.',
    ),
    element(
      'details',
      {},
      element('summary', {}, 'Show as a table'),
      table(
        'Requests by day, newest first',
        ['Day (UTC)', 'Requests', 'Refused'],
        days.toReversed().map((day) => [dayText(day.date), count(day.requests), count(day.refused)]),
      ),
    ),
  );
}

function mostOf(days) {
  const most = days.reduce((a, b) => (b.requests > a.requests ? b : a));
  return most.requests === 0
    ? 'No use.'
    : `The most in a day: ${count(most.requests)} on ${dayText(most.date)}.`;
}

/** The end of the scale: even, and 1, 2, 4 or 6 with zeros behind. */
function scaleOf(most) {
  let unit = 1;
  while (most > 10 * unit) unit *= 10;
  return Math.max(2, unit * [1, 2, 4, 6, 10].find((n) => most <= n * unit));
}

function drawing(days, top, label) {
  return svgElement(
    'svg',
    {
      viewBox: `0 0 ${DAYS * DAY_WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    },
    ...[0, HEIGHT / 2, HEIGHT].map((y) =>
      svgElement('line', { class: 'line', x1: 0, x2: DAYS * DAY_WIDTH, y1: y, y2: y }),
    ),
    ...days.map((day, i) => bar(day, i, top)),
  );
}

function bar({ date, requests, refused }, i, top) {
  const heightOf = (n) => (n === 0 ? 0 : Math.max(MIN_BAR, (n / top) * HEIGHT));
  const [admitted, above] = [heightOf(requests - refused), heightOf(refused)];
  const part = (className, bottom, height) =>
    svgElement('rect', {
      class: className,
      x: i * DAY_WIDTH + (DAY_WIDTH - BAR_WIDTH) / 2,
      y: HEIGHT - bottom - height,
      width: BAR_WIDTH,
      height,
    });
  return svgElement(
    'g',
    { class: 'day' },
    svgElement('title', {}, `${dayText(date)}: ${counted(requests, 'request')}, ${count(refused)} refused`),
    // The whole height of the day can be pointed at.
    svgElement('rect', { class: 'ground', x: i * DAY_WIDTH, y: 0, width: DAY_WIDTH, height: HEIGHT }),
    ...(admitted > 0 ? [part('admitted', 0, admitted)] : []),
    ...(above > 0 ? [part('refused', admitted, above)] : []),
  );
}
