import { Inject, Injectable } from '@nestjs/common';
import type { CategoryId, PetInventory, PetInventoryStore, PetStatus } from '@petstore/pet-domain';
import { Pipelines } from '../pipeline/pipelines.js';
import { type RawRow, type RowReader, textColumns } from '../pipeline/raw-rows.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { COUNT } from './inventory-statements.js';

/** The counters in which the category of all animals is written down; no animal has it. */
const ALL = '0';

/** The counters that sequencing keeps. */
@Injectable()
export class PostgresPetInventoryStore implements PetInventoryStore {
  private readonly sharedReads = new SingleFlight();

  constructor(@Inject(Pipelines) private readonly pipelines: Pipelines) {}

  count(categoryId?: CategoryId): Promise<PetInventory> {
    const counted = categoryId ?? ALL;
    return this.sharedReads.share(counted, (leaving) =>
      this.pipelines.reads.ask(COUNT, [counted], new CountReader(), leaving),
    );
  }
}

class CountReader implements RowReader<PetInventory> {
  private readonly counts: Record<PetStatus, string> = { available: '0', pending: '0', sold: '0' };

  take(row: RawRow): void {
    const [status, animals = '0'] = textColumns(row, 2);
    this.counts[status as PetStatus] = animals;
  }

  answer(): PetInventory {
    return this.counts;
  }
}
