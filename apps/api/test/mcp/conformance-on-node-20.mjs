import fs from 'node:fs';
import { register } from 'node:module';

/*
 * The conformance suite imports `globSync` of `node:fs`, which Node.js has from 22 on, for a command that is not used here.
 * `node --import` of this file gives it one.
 */
const FS = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const HOOK = `export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL?.includes('conformance')
    ? { url: 'data:text/javascript,${encodeURIComponent(FS).replaceAll("'", '%27')}', shortCircuit: true }
    : next(name, context);`;

if (!('globSync' in fs)) register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
