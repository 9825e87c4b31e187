import { generateKeyPairSync, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A server's certificate and its key in PEM; who trusts the certificate itself trusts the server. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * A certificate that is signed with its own key (RFC 5280), so that no private key is kept in a file.
 *
 * @param names host names and IPv4 addresses that it holds for
 */
export function makeCertificate(names: readonly string[], validDays = 1): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(tagged(0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from('test')))));
  const [from, to] = [-2, validDays].map((days) => utcTime(new Date(Date.now() + days * DAY_MS)));
  const alternatives = names.map((text) =>
    isIPv4(text) ? tagged(0x87, Buffer.from(text.split('.').map(Number))) : tagged(0x82, Buffer.from(text)),
  );
  const extensions = sequence(
    sequence(oid(0x55, 0x1d, 0x11), tagged(0x04, sequence(...alternatives))),
    sequence(oid(0x55, 0x1d, 0x13), tagged(0x04, sequence(tagged(0x01, Buffer.of(0xff))))),
  );
  const content = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(from ?? Buffer.alloc(0), to ?? Buffer.alloc(0)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = tagged(0x03, Buffer.of(0), sign('sha256', content, privateKey));
  const pem = sequence(content, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One value in DER (X.690). */
function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => tagged(0x30, ...contents);
const integer = (value: number): Buffer => tagged(0x02, Buffer.of(value));
const oid = (...bytes: readonly number[]): Buffer => tagged(0x06, Buffer.from(bytes));
const utcTime = (time: Date): Buffer =>
  tagged(0x17, Buffer.from(`${time.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));
