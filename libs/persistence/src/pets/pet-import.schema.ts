import { EntitySchema } from 'typeorm';
import { COUNT } from '../sql/columns.js';

/** A file that was imported without a source. */
export interface PetImport {
  readonly token: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly fingerprint: string;
  /** Records of the file, those that were left out included. */
  readonly records: number;
  /** Animals that were added. */
  readonly animals: number;
}

/** The table `pet_imports`. */
export const PetImportSchema = new EntitySchema<PetImport>({
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
  },
});
