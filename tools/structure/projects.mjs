import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of all projects that Nx knows, from the root of the workspace: `libs/pet-domain`. */
export function projectsOf(root) {
  return ['apps', 'libs', 'tools'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) =>
        ['package.json', 'project.json'].some((file) => existsSync(join(root, folder, file))),
      ),
  );
}
