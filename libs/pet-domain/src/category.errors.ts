/** The name belongs to another category, apart from case and white space. */
export class CategoryNameTakenError extends Error {
  override readonly name = 'CategoryNameTakenError';

  constructor(options?: ErrorOptions) {
    super('Another category has this name.', options);
  }
}

/** The category cannot be removed while a pet has its id. */
export class CategoryInUseError extends Error {
  override readonly name = 'CategoryInUseError';

  constructor() {
    super('Animals have this category.');
  }
}
