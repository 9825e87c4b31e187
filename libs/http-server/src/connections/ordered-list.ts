/** The place of a member in one {@link OrderedList} after another; it is made once and used again. */
export class ListPlace<Member> {
  list: OrderedList<Member> | undefined;
  previous: ListPlace<Member> | undefined;
  next: ListPlace<Member> | undefined;

  constructor(readonly member: Member) {}
}

/**
 * Members in the order in which they were added, as in a `Set`, for those that come and go with every request: here
 * that allocates nothing. V8 gives a `Set` a new table now and then, and of one that is old it keeps all tables, with
 * what was in them, until the next collection of the whole heap.
 */
export class OrderedList<Member> {
  private first: ListPlace<Member> | undefined;
  private last: ListPlace<Member> | undefined;

  /** Adds a member at the end, if it is not there. Its place must be in no other list. */
  add(place: ListPlace<Member>): void {
    if (place.list !== undefined) return;
    place.list = this;
    place.previous = this.last;
    if (this.last === undefined) this.first = place;
    else this.last.next = place;
    this.last = place;
  }

  /** Removes a member, if it is there. */
  remove(place: ListPlace<Member>): void {
    if (place.list !== this) return;
    const { previous, next } = place;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.last = previous;
    else next.previous = previous;
    place.list = place.previous = place.next = undefined;
  }

  *[Symbol.iterator](): Iterator<Member> {
    for (let place = this.first; place !== undefined; place = place.next) yield place.member;
  }
}
