import { EntitySchema } from 'typeorm';
import { COUNT, OPTIONAL } from '../sql/columns.js';

/** How far an import has got. */
export interface PetImportProgress {
  /** SHA-256 of the file that it is of, in hexadecimal digits. */
  readonly fingerprint: string;
  /** Records of the file that are done, those that were left out included. */
  readonly records: number;
  /** Pets that were added. */
  readonly animals: number;
  readonly finishedAt: Date | undefined;
}

/** The table `pet_imports`. */
export const PetImportSchema = new EntitySchema<
  PetImportProgress & { readonly token: string; readonly updatedAt: Date }
>({
  name: 'PetImport',
  tableName: 'pet_imports',
  columns: {
    token: { type: 'text', primary: true },
    fingerprint: {
      type: 'bytea',
      transformer: {
        to: (digits: string | undefined) => digits && Buffer.from(digits, 'hex'),
        from: (bytes: Buffer) => bytes.toString('hex'),
      },
    },
    records: { type: 'bigint', transformer: COUNT },
    animals: { type: 'bigint', transformer: COUNT },
    updatedAt: { name: 'updated_at', type: 'timestamptz', updateDate: true, select: false },
    finishedAt: { name: 'finished_at', type: 'timestamptz', nullable: true, transformer: OPTIONAL },
  },
});
