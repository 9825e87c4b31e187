import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Bytes up to which a file becomes as small as it can; the last tenth takes twenty times as long. */
const SMALL = 100_000;

const CODINGS = {
  br: (content) => {
    const quality = content.length > SMALL ? 9 : constants.BROTLI_MAX_QUALITY;
    return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: promisify(gzip),
  identity: (content) => content,
};

/**
 * Writes a file that the service serves (`apps/api/src/docs`), under a folder for each content coding: no request has the
 * time to compress it so well.
 *
 * @param {string} folder that is served
 * @param {string} path below it, as it is asked for
 * @param {string | Uint8Array} content
 */
export async function writeEncoded(folder, path, content) {
  await Promise.all(
    Object.entries(CODINGS).map(async ([coding, encode]) => {
      const file = join(folder, coding, path);
      const bytes = await encode(content);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }),
  );
}
