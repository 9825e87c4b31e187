import { VisibleText } from '@petstore/api-key';
import { wholeNumber } from '../view/format.js';
import type { CheckedStock, ListedFlaw } from './check-stock.js';
import type { ImportedStock } from './import-stock.js';

/** A line for each flaw, as compilers write it. */
export function flawsText({ flaws, refused }: Pick<CheckedStock, 'flaws' | 'refused'>): string {
  const lines = flaws.map((flaw) => `${flawText(flaw)}\n`).join('');
  const listed = new Set(flaws.map(({ line }) => line)).size;
  return refused > listed ? `${lines}and ${wholeNumber(refused - listed)} more lines\n` : lines;
}

function flawText({ line, field, reason }: ListedFlaw): string {
  return field === undefined ? `line ${line}: ${reason}` : `line ${line}: ${field} ${reason}`;
}

export function ignoredText(columns: readonly string[]): string {
  return `note: these columns are ignored: ${VisibleText.escape(columns.join(', ').slice(0, 200))}\n`;
}

export function checkedText({ records, refused }: CheckedStock): string {
  return `${animals(records - refused)} can be imported. Nothing was written.\n`;
}

export function importedText({ added, addedEarlier }: ImportedStock, seconds: number): string {
  if (added === 0 && addedEarlier > 0)
    return `Nothing to do: ${animals(addedEarlier)} of this file were imported earlier.\n`;
  const rate = seconds > 0 ? `, ${wholeNumber(Math.round(added / seconds))} a second` : '';
  const before = addedEarlier > 0 ? ` ${animals(addedEarlier)} had been imported earlier.` : '';
  return `Imported ${animals(added)} in ${seconds.toFixed(1)} s${rate}.${before}\n`;
}

function animals(count: number): string {
  return `${wholeNumber(count)} ${count === 1 ? 'animal' : 'animals'}`;
}
