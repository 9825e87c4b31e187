import { describe, expect, it } from '@jest/globals';
import { ORDER_TRANSITIONS, type OrderTransition } from '@petstore/order-domain';
import { documentedSettings } from '../src/configuration/configuration.js';
import { read } from './deploy-files.js';

/** Lines of the table that lead to one state by one action, as people read them: one. */
function groups(): OrderTransition[][] {
  const byAction = new Map<string, OrderTransition[]>();
  for (const transition of ORDER_TRANSITIONS) {
    byAction.set(transition.action, [...(byAction.get(transition.action) ?? []), transition]);
  }
  return [...byAction.values()];
}

const quoted = (text: string): string => `\`${text}\``;
const SETTINGS = documentedSettings();
const LIMITS = {
  reservation: `${SETTINGS.orderHoldHours.fallback} hours`,
  pickup: `${Number(SETTINGS.orderPickupHours.fallback) / 24} days`,
};
const ACTIONS: Readonly<Record<string, string>> = { place: 'place', expire: '(time)' };

function scopeOf({ actors }: OrderTransition): string {
  if (actors.includes('owner'))
    return actors.includes('manager') ? '`orders:write`, of its own orders' : '`orders:write`';
  return actors.includes('manager') ? '`orders:manage`' : '';
}

function rowOf(lines: readonly OrderTransition[]): string[] {
  const [line] = lines;
  if (line === undefined) throw new Error('An action without a line.');
  return [
    lines
      .flatMap(({ from = [] }) => from)
      .map(quoted)
      .join(', '),
    ACTIONS[line.action] ?? quoted(line.action),
    quoted(line.to),
    scopeOf(line),
    line.pet === undefined ? '' : `${quoted(line.pet.from)} to ${quoted(line.pet.to)}`,
    line.limit === undefined ? '' : LIMITS[line.limit],
  ];
}

/** The rows of the table of orders of a document, without its head. */
function writtenRows(file: string): string[][] {
  const [table = ''] = /^\| from +\| action +\| to [^]*?(?=\n\n)/m.exec(read(file)) ?? [];
  return table
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

describe('the life of an order', () => {
  it.each(['docs/contract.md', 'docs/guide/adoption.md'])('is in the table of %s as in the code', (file) => {
    expect(writtenRows(file)).toEqual(groups().map(rowOf));
  });

  it('is in the picture of the guide as in the code', () => {
    const [, picture = ''] =
      /```mermaid\nstateDiagram-v2\n([^]*?)```/.exec(read('docs/guide/adoption.md')) ?? [];
    const states = new Set(ORDER_TRANSITIONS.map(({ to }) => to));
    const finals = [...states].filter((state) => ORDER_TRANSITIONS.every(({ from }) => from !== state));
    const arrows = [
      ...ORDER_TRANSITIONS.map(
        ({ from = '[*]', to, action }) => `${from} --> ${to} : ${action === 'expire' ? 'time' : action}`,
      ),
      ...finals.map((state) => `${state} --> [*]`),
    ];
    const drawn = picture
      .trim()
      .split('\n')
      .map((line) => line.trim());
    expect(drawn.sort()).toEqual(arrows.sort());
  });
});
