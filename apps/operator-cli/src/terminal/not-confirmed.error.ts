/** Nothing was done, because nobody has said yes. */
export class NotConfirmedError extends Error {
  override readonly name = 'NotConfirmedError';

  constructor(wasAsked: boolean) {
    super(
      wasAsked
        ? 'Nothing was done: it was not confirmed.'
        : 'Nothing was done: nobody is at the terminal to confirm it. Say --yes.',
    );
  }
}
