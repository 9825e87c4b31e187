import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Contender
 * @property {string} name        as on the command line and in files of results
 * @property {string} title       as in the report
 * @property {string} folder      where it runs
 * @property {string} entry       what node is given, relative to the folder
 * @property {'bare id' | 'opaque'} cursor how it spells positions in a list
 * @property {boolean} peer       whether it has dependencies of its own to be installed
 * @property {boolean} ownCases   whether it has the cases that peers lack
 */

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

const peer = (name, title, entry = 'server.mjs') => ({
  name,
  title,
  folder: folder(`peers/${name}/`),
  entry,
  cursor: 'bare id',
  peer: true,
  ownCases: false,
});

/** The service of this checkout. */
export const OURS = 'ours';

/** The bare server with the same tricks: what a run is measured by. */
export const FLOOR = 'floor-tricks';

/** Everything that can be measured, in the order of the report. */
export const CONTENDERS = [
  {
    name: OURS,
    title: 'Pet Store Service',
    folder: folder('../../../'),
    entry: 'apps/api/bundle/main.js',
    cursor: 'opaque',
    peer: false,
    ownCases: true,
  },
  peer(FLOOR, 'bare node:http, same tricks'),
  peer('floor-plain', 'bare node:http, plain'),
  peer('fastify', 'Fastify + rate-limit + pg'),
  peer('express', 'Express + express-rate-limit + pg'),
  peer('nestjs-textbook', 'NestJS, textbook', 'dist/main.js'),
];

/** Another built checkout of the service, to be measured beside this one. */
export function otherCheckout(folder) {
  return {
    ...CONTENDERS[0],
    name: 'other',
    title: 'Pet Store Service, other checkout',
    folder: resolve(folder),
  };
}
