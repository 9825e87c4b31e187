/** From so many names on a table is faster than looking at each. */
const FEW = 8;

/** The member names of one JSON object, to find the one that comes twice. */
export class MemberNames {
  private few: string[] | undefined;
  private many: Set<string> | undefined;
  private first: string | undefined;

  /**
   * Adds a name. Most objects have none or few: they get no table.
   *
   * @param name with its opening quote. V8 hashes texts that look like whole numbers by their value and not with
   * its random seed: whoever chooses such names can let all of them collide.
   * @returns false when it is here already
   */
  add(name: string): boolean {
    if (this.many !== undefined) return this.many.size < this.many.add(name).size;
    if (this.first === undefined) {
      this.first = name;
      return true;
    }
    this.few ??= [this.first];
    if (this.few.includes(name)) return false;
    if (this.few.push(name) > FEW) this.many = new Set(this.few);
    return true;
  }
}
