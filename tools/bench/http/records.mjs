import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** The figures of the releases, a file each: `results/http-1.2.3.json`. */
const FOLDER = new URL('../results/', import.meta.url);
const NAME = /^http-(\d+\.\d+\.\d+)\.json$/;

/**
 * The figures of the latest release that has any.
 *
 * @returns {Promise<{ version: string, record: import('./verdict.mjs').RunRecord } | undefined>}
 */
export async function latestRecord() {
  const [version] = (await readdir(FOLDER))
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  if (version === undefined) return undefined;
  return { version, record: JSON.parse(await readFile(fileOf(version), 'utf8')) };
}

/**
 * Keeps figures as those of the version that the workspace is at, instead of any that it had.
 *
 * @returns {Promise<string>} the path of the file
 */
export async function saveRecord(record) {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  const path = fileURLToPath(fileOf(version));
  const text = await format(JSON.stringify(record, null, 2), {
    ...(await resolveConfig(path)),
    filepath: path,
  });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path, text);
  return path;
}

function fileOf(version) {
  return new URL(`http-${version}.json`, FOLDER);
}
