import { type RawRow, type RowReader, textColumns } from '../pipeline/raw-rows.js';
import { isTrue } from '../unit-of-work/statement-batch.js';

/** What becomes of an order that is placed at this moment. */
export interface Prospect {
  /** Whether the key may place another order. */
  readonly isRoomLeft: boolean;
  /** Of the animal; empty when there is none. */
  readonly petStatus: string;
}

/** Reads one row of whether there is room, and the status of the animal. */
export class ProspectReader implements RowReader<Prospect> {
  private prospect: Prospect = { isRoomLeft: false, petStatus: '' };

  take(row: RawRow): void {
    const [isRoomLeft, petStatus = ''] = textColumns(row, 2);
    this.prospect = { isRoomLeft: isTrue(isRoomLeft), petStatus };
  }

  answer(): Prospect {
    return this.prospect;
  }
}
