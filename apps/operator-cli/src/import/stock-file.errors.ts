import { CommandError, EXIT } from '../terminal/errors.js';

/** The file cannot be imported at all: it is not there, is no file, or has another form. */
export class StockFileError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}

/** The file is not the one that was checked. */
export const stockFileChanged = (): CommandError =>
  new CommandError(
    'The file was changed while it was imported. What is imported of it stays; the import is not complete.',
  );
