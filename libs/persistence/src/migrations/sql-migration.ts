import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration that consists of SQL, and is never reverted: a mistake is corrected by another one. */
export abstract class SqlMigration implements MigrationInterface {
  abstract readonly name: string;
  /** One after the other. */
  protected abstract readonly statements: readonly string[];

  /** SHA-256 of the statements, in hexadecimal digits: of which text this migration is. */
  get fingerprint(): string {
    return createHash('sha256').update(this.statements.join(';')).digest('hex');
  }

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  down(): Promise<never> {
    return Promise.reject(new Error('The schema only goes forward: write another migration.'));
  }
}
