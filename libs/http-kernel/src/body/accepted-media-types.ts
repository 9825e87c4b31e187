const JSON_ONLY: readonly string[] = ['application/json'];

/** By handler. Metadata of Reflect would cost a look-up through prototypes on every request with a body. */
const byHandler = new WeakMap<object, readonly string[]>();

/** The handler reads bodies of these media types, which must all be JSON texts; in lower case, without parameters. */
export function AcceptMediaTypes(mediaTypes: readonly string[]): MethodDecorator {
  return (_target, _key, descriptor) => {
    byHandler.set(descriptor.value as object, mediaTypes);
  };
}

/** Media types that a handler accepts for its body: `application/json` unless {@link AcceptMediaTypes} says others. */
export function acceptedMediaTypes(handler: object): readonly string[] {
  return byHandler.get(handler) ?? JSON_ONLY;
}
