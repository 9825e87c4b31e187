/** An object or array within a JSON object, as its text: known to be well-formed, but not made into a value. */
export class JsonText {
  constructor(readonly source: string) {}
}
