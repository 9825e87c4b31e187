/** Bans are kept in Redis, and it did not respond. */
export class BanNotLiftedError extends Error {
  override readonly name = 'BanNotLiftedError';

  constructor() {
    super(
      'Redis, which keeps the ban, did not respond: the key may still be banned. Lift it again when Redis is back.',
    );
  }
}
