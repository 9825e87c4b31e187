import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError, root } from '../../bootstrap/process.mjs';

const GROUPS = ['libs', 'apps', 'tools'];

/** An app, a lib or a tool that has tests. */
export class Project {
  /** @param folder from the root of the workspace: `libs/pet-domain` */
  constructor(folder) {
    this.path = join(root, folder);
    const manifest = join(this.path, 'package.json');
    this.manifest = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  }

  /** @param name `pet-domain`, `@petstore/pet-domain` or `libs/pet-domain` */
  static find(name) {
    const short = name.replace(/^(@petstore|libs|apps|tools)\//, '');
    const folder = GROUPS.map((group) => `${group}/${short}`).find((path) => isProject(path));
    if (folder !== undefined) return new Project(folder);
    throw new BootstrapError(
      `There is no project "${name}"; there are ${Project.names().join(', ')}. Usage: npm run test:watch -- <project>`,
    );
  }

  static names() {
    return GROUPS.flatMap((group) =>
      readdirSync(join(root, group)).filter((name) => isProject(`${group}/${name}`)),
    );
  }

  /** Whether Nx builds before it tests, in one part or in several: the tests run built programs. */
  get testsNeedBuild() {
    return Object.entries(this.manifest.nx?.targets ?? {})
      .filter(([name]) => name.startsWith('test'))
      .some(([, { dependsOn = [] }]) => dependsOn.some((one) => !String(one).startsWith('test-')));
  }

  /** Folders whose files its tests read: its own and those of the projects that it imports, directly or not. */
  get sources() {
    const folders = new Set([this.path]);
    for (const { path } of this.imports()) folders.add(join(path, 'src'));
    return [...folders];
  }

  imports(seen = new Map()) {
    const { dependencies, devDependencies } = this.manifest;
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      if (!name.startsWith('@petstore/') || seen.has(name)) continue;
      const project = Project.find(name);
      seen.set(name, project);
      project.imports(seen);
    }
    return [...seen.values()];
  }
}

function isProject(folder) {
  return folder.split('/')[1] !== '' && existsSync(join(root, folder, 'jest.config.mjs'));
}
