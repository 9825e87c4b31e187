import { expect, it } from '@jest/globals';
import express, { type Express } from 'express';
import fc from 'fast-check';
import { narrowRoutes } from './route-layers.js';

const PATHS = [
  '/v1/pets',
  '/v1/pets/:petId',
  '/v1/store/orders',
  '/v1/store/orders/:orderId/cancel',
  '/v1/{*rest}',
  '/livez',
  '/',
  String.raw`/a\:b`,
  '/c{/d}',
];

interface Layer {
  readonly matchers: ((path: string) => unknown)[];
  match(path: string): unknown;
}

function application({ strict = true } = {}): Express {
  const app = express();
  app.set('strict routing', strict);
  app.enable('case sensitive routing');
  app.use((_request, _response, next) => {
    next();
  });
  for (const path of PATHS) app.get(path, (_request, response) => response.end());
  app.get(/^\/by-[a-z]+$/, (_request, response) => response.end());
  app.get(['/one', '/two'], (_request, response) => response.end());
  return app;
}

const layersOf = (app: Express): Layer[] => (app.router as unknown as { stack: Layer[] }).stack;

const piece = fc.constantFrom(
  ...[
    'v1',
    'V1',
    'pets',
    'store',
    'orders',
    'cancel',
    'livez',
    '7',
    'a:b',
    'c',
    'd',
    'by-x',
    'one',
    '%2F',
    '',
  ],
);
const path = fc.array(piece, { maxLength: 5 }).map((pieces) => `/${pieces.join('/')}`);

it('leaves to the router what each route matches', () => {
  const [narrowed, plain] = [application(), application()];
  narrowRoutes(narrowed);
  const matches = (app: Express, target: string): unknown[] =>
    layersOf(app).map((layer) => layer.match(target));
  fc.assert(
    fc.property(path, (target) => {
      expect(matches(narrowed, target)).toEqual(matches(plain, target));
    }),
    { numRuns: 2_000 },
  );
});

it('asks no route that the path cannot belong to', () => {
  const app = application();
  narrowRoutes(app);
  let asked = 0;
  for (const { matchers } of layersOf(app)) {
    const [matcher] = matchers;
    matchers[0] = (target) => {
      asked++;
      return matcher?.(target);
    };
  }
  for (const layer of layersOf(app)) layer.match('/v1/pets/7');
  // The middleware, the animal, what takes every path, the expression and the two names.
  expect(asked).toBe(4);
});

it('leaves an application alone that ignores a slash at the end', () => {
  const app = application({ strict: false });
  narrowRoutes(app);
  expect(
    layersOf(app).some((layer) => layer.match('/v1/pets/') !== false && layer !== layersOf(app)[0]),
  ).toBe(true);
  expect(layersOf(app).every((layer) => !Object.hasOwn(layer, 'match'))).toBe(true);
});
