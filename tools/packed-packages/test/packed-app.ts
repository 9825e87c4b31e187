import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '@petstore/test-servers';

const run = promisify(execFile);
const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));
/** The tarballs of the published libs. */
const TARBALLS = fileURLToPath(new URL('../.cache/packages', import.meta.url));
const OWN_PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));
const OLDEST_PACKAGES = fileURLToPath(new URL('../oldest-peers/node_modules', import.meta.url));
const COMPILERS = { '5.6': 'typescript-5.6', newest: 'typescript' };

export type Compiler = keyof typeof COMPILERS;

export const PUBLISHED = ['api-key', 'client', 'pet-domain', 'portal-formats', 'rate-limit'];
/** The peers of the libs, and what applications that use them have. */
export const FRAMEWORKS = [
  ...['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'express', 'fastify', 'ioredis'],
  ...['reflect-metadata', 'rxjs', '@types/express'],
];

/** The parts of a package.json that a user of the package depends on. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export const readText = (...path: readonly string[]): Promise<string> =>
  readFile(join(WORKSPACE, ...path), 'utf8');

const manifestIn = async (...path: readonly string[]): Promise<Manifest> =>
  JSON.parse(await readText(...path, 'package.json')) as Manifest;

/** The libs of the workspace that are published: those that are not private, by their folders. */
export async function publishedLibs(folders: readonly string[]): Promise<string[]> {
  const manifests = await Promise.all(folders.map((lib) => manifestIn('libs', lib)));
  return folders.filter((_, n) => manifests[n]?.private !== true);
}

/** The files of a tarball, by their names in the package. */
export async function filesOf(lib: string): Promise<string[]> {
  const { stdout } = await run('tar', ['-tzf', tarballOf(lib)]);
  return stdout
    .trim()
    .split('\n')
    .map((name) => name.replace('package/', ''));
}

const { version } = JSON.parse(await readText('package.json')) as { readonly version: string };
const tarballOf = (lib: string): string => join(TARBALLS, `petstore-${lib}-${version}.tgz`);

/** An application in a temporary folder, with packed libs and nothing else of the workspace. */
export class PackedApp {
  private constructor(readonly folder: TemporaryFolder) {}

  get path(): string {
    return this.folder.path;
  }

  /**
   * Installs packed libs without a network: what their manifests name as dependencies is linked beside them from the
   * workspace, and nothing else, so that an import that a manifest does not name fails.
   *
   * @param packages of others, which the application itself depends on, in their newest versions
   * @param oldest others in the oldest versions that the libs take
   */
  static async install(
    libs: readonly string[],
    packages: readonly string[],
    oldest: readonly string[] = [],
  ): Promise<PackedApp> {
    const app = new PackedApp(await temporaryFolder('packed-app'));
    for (const lib of libs) {
      const target = join(app.path, 'node_modules/@petstore', lib);
      await mkdir(target, { recursive: true });
      await run('tar', ['-xzf', tarballOf(lib), '-C', target, '--strip-components=1']);
      const { dependencies = {} } = await app.manifestOf(lib);
      const others = Object.keys(dependencies).filter((name) => !name.startsWith('@petstore/'));
      for (const name of others)
        await link(join(WORKSPACE, 'libs', lib, 'node_modules', name), join(target, 'node_modules', name));
    }
    const linkFrom = (folder: string, name: string): Promise<void> =>
      link(join(folder, name), join(app.path, 'node_modules', name));
    for (const name of packages) await linkFrom(OWN_PACKAGES, name);
    for (const name of oldest) await linkFrom(OLDEST_PACKAGES, name);
    return app;
  }

  async manifestOf(lib: string): Promise<Manifest> {
    const text = await readFile(join(this.path, 'node_modules/@petstore', lib, 'package.json'), 'utf8');
    return JSON.parse(text) as Manifest;
  }

  /**
   * Compiles sources strictly, with the declarations of all packages, into a folder of the application.
   *
   * @param files texts by name; those in JavaScript are put beside what is compiled
   * @returns what the compiler says: nothing when all is well
   */
  async compile(
    folder: string,
    compiler: Compiler,
    files: Readonly<Record<string, string>>,
    options: Readonly<Record<string, unknown>> = {},
    type = 'module',
  ): Promise<string> {
    const cwd = join(this.path, folder);
    await mkdir(cwd);
    const compilerOptions = {
      ...{ target: 'es2022', module: 'nodenext', strict: true, types: ['node'], skipDefaultLibCheck: true },
      ...{ experimentalDecorators: true, emitDecoratorMetadata: true, skipLibCheck: false, ...options },
    };
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ type }));
    await writeFile(
      join(cwd, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: Object.keys(files).filter((name) => !name.endsWith('.js')) }),
    );
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const tsc = join(OWN_PACKAGES, COMPILERS[compiler], 'bin/tsc');
    return run(process.execPath, [tsc, '--pretty', 'false'], { cwd }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { stdout: string }).stdout,
    );
  }

  /** What a program of the application prints. */
  async output(file: string, flags: readonly string[] = []): Promise<string> {
    const words = [...flags, '--no-warnings', join(this.path, file)];
    // A variable that asks for colours would colour what is compared.
    return (await run(process.execPath, words, { env: {} })).stdout;
  }

  /** What Jest says of a test file in CommonJS, in a folder of the application. */
  async jest(folder: string, test: string): Promise<string> {
    const cwd = join(this.path, folder);
    await mkdir(cwd);
    await writeFile(
      join(cwd, 'package.json'),
      JSON.stringify({ jest: { cacheDirectory: join(cwd, 'cache') } }),
    );
    await writeFile(join(cwd, 'libs.test.js'), test);
    const jest = join(WORKSPACE, 'node_modules/jest/bin/jest.js');
    return run(process.execPath, [jest, '--no-watchman'], { cwd, env: {} }).then(
      ({ stderr }) => stderr,
      (error: unknown) => (error as { stderr: string }).stderr,
    );
  }
}

async function link(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await symlink(source, target);
}
