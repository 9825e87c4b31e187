/** A path that a route has, to compare request targets with before they are routed. */
export class RoutePattern {
  private readonly form: RegExp;

  /** @param path as Express writes it, with whole segments as parameters: `/v1/pets/:petId` */
  constructor(path: string) {
    if (!/^(?:\/:?[\w-]+)+$/.test(path)) throw new Error(`"${path}" is not a path of plain segments.`);
    this.form = new RegExp(`^${path.replace(/:\w+/g, '[^/?]+')}(?:\\?|$)`);
  }

  /** @param target path and query, as `request.url` has them */
  matches(target: string): boolean {
    return this.form.test(target);
  }
}
