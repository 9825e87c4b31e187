/** The file cannot be imported at all: it is not there, is no file, or has another form. */
export class StockFileError extends Error {
  override readonly name = 'StockFileError';
}

/** From this line on nothing can be told of the file. */
export class UnreadableLineError extends StockFileError {
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason} Nothing behind it can be read, and nothing was imported of it.`);
  }
}

/** The file is not the one that was checked. */
export class StockFileChangedError extends Error {
  override readonly name = 'StockFileChangedError';

  constructor() {
    super(
      'The file was changed while it was imported. What is imported of it stays; the import is not complete.',
    );
  }
}

/** The token stands for the import of another file. */
export class TokenTakenError extends Error {
  override readonly name = 'TokenTakenError';

  constructor(token: string) {
    super(`The token ${token} belongs to the import of another file, or of this one before it was changed.`);
  }
}

/** Some records are no animals. They have been listed. */
export class RefusedRecordsError extends Error {
  override readonly name = 'RefusedRecordsError';
}
