import { type RawRow, type RowReader, textColumns } from '../pipeline/raw-rows.js';
import { isTrue } from '../unit-of-work/statement-batch.js';

/** What has become of an order that was to be placed. */
export interface Placing {
  /** Whether the key may have another open order. */
  readonly isRoomLeft: boolean;
  /** Of the animal, before; empty when there is none. */
  readonly petStatus: string;
  /** Id and JSON of the order; empty when it was not placed. */
  readonly id: string;
  readonly json: string;
}

/** @param columns of `PLACE` */
export function toPlacing([isRoomLeft, petStatus = '', id = '', json = '']: readonly string[]): Placing {
  return { isRoomLeft: isTrue(isRoomLeft), petStatus, id, json };
}

/** Reads the row of `PLACE`. */
export class PlacingReader implements RowReader<Placing> {
  private placing = toPlacing([]);

  take(row: RawRow): void {
    this.placing = toPlacing(textColumns(row, 4));
  }

  answer(): Placing {
    return this.placing;
  }
}
