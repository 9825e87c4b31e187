import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import type { Environment } from '../../src/configuration/configuration.js';

/** The root of the workspace, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** The folder of what a deployment needs. */
export const DEPLOY = join(ROOT, 'deploy');
/** The text of a file of the workspace. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A resource of Kubernetes, as far as the tests look at it. */
export interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Environment;
  readonly stringData?: Environment;
  readonly spec?: Record<string, unknown>;
}
/** The resources of a file of `deploy/kubernetes`. */
export const resourcesOf = (file: string): Resource[] =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`), { merge: true }).map(
    (document) => document.toJS() as Resource,
  );

/** A container of a pod. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly envFrom: readonly { readonly secretRef?: { readonly name: string } }[];
  readonly resources: { readonly limits: Record<string, unknown> };
  readonly securityContext: Record<string, unknown>;
}
/** The template of the pods of a deployment. */
export interface Pod extends Record<string, unknown> {
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
}
/** The pod of the deployment among these resources. */
export const podOf = (resources: readonly Resource[]): Pod =>
  (resources.find(({ kind }) => kind === 'Deployment')?.spec as { template: { spec: Pod } }).template.spec;

/** A service of the Compose file. */
export interface ComposeService {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly environment?: Environment;
  readonly command?: readonly string[];
}
/** The services of `deploy/compose.yaml` by their names. */
export const composeServices = (): Record<string, ComposeService> =>
  (parse(read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, ComposeService> })
    .services;
