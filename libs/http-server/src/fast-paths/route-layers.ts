import type { Express } from 'express';

/** What the router of Express keeps for each route, as far as it is used here. */
interface Layer {
  readonly route?: unknown;
  readonly rawPath?: unknown;
  readonly match: (this: Layer, path: string | null | undefined) => unknown;
}

/** A layer that is asked only about paths that may be its own. */
interface NarrowedLayer extends Layer {
  /** What each of its paths begins with. */
  beginning: string;
  /** Whether that is the whole path. */
  isWhole: boolean;
  /** Its own method. */
  ask: Layer['match'];
}

/** From the first of these characters on, a path is a pattern (path-to-regexp 8). */
const PATTERN = /[:*{}()[\]+?!\\]/;

/**
 * Keeps the router from running the regular expressions of routes that a path cannot belong to. It looks at one route
 * after the other, and each resource brings five to ten of them, for `OPTIONS` and 405 too: a request to a route behind
 * seventy others spent 5 µs on theirs. A comparison of strings comes first; what it lets through is the router's to
 * decide, so that a route matches what it matched before.
 *
 * To be called once all routes are there. Does nothing for an application that ignores case or a slash at the end.
 */
export function narrowRoutes(application: Express): void {
  if (!application.enabled('case sensitive routing') || !application.enabled('strict routing')) return;
  for (const layer of (application.router as unknown as { stack: Layer[] }).stack) {
    if (layer.route === undefined || typeof layer.rawPath !== 'string') continue;
    const [beginning = ''] = layer.rawPath.split(PATTERN, 1);
    const isWhole = beginning === layer.rawPath;
    Object.assign(layer, { beginning, isWhole, ask: layer.match, match: matchNarrowed });
  }
}

function matchNarrowed(this: NarrowedLayer, path: string | null | undefined): unknown {
  const { beginning, isWhole } = this;
  const mayMatch = isWhole ? path === beginning : path?.startsWith(beginning) === true;
  return mayMatch && this.ask(path);
}
