import { KeySigner } from '@petstore/api-key';

const stranger = new KeySigner('not the pepper of the service');

/** A key of the right form, with a MAC, that the service has not issued. */
export const madeUpKey = (): string => stranger.issue('test').text;
