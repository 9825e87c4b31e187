import { gzipSync } from 'node:zlib';
import { madeUpKey } from '../support/made-up-key.js';

/** The head of a request, the blank line included. */
export function head(method: string, target: string, ...fields: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: a', ...fields, '', ''].join('\r\n');
}

export const bearer = (key: string): string => `Authorization: Bearer ${key}`;

export const JSON_TYPE = 'Content-Type: application/json';
/** A file of the docs that is larger than what the system takes in for a connection at once. */
export const LARGE_FILE = '/docs/swagger-ui-bundle.js';
export const CHUNKED = 'Transfer-Encoding: chunked';

export const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';

/** A chunk for each byte, without the last, empty one (RFC 9112, section 7.1). */
export function chunkABytes(bytes: Buffer): Buffer {
  return Buffer.concat([...bytes].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a])));
}

export const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** One request taken apart, so that it can stop anywhere. */
export interface HostileRequest {
  readonly name: string;
  readonly head: string;
  readonly body: Buffer;
}

const PET = Buffer.from('{"name":"Hostile","categoryId":1}');

/** One request of each kind that the service tells apart, in every form that HTTP/1.1 knows. */
export function hostileRequests(key: string): readonly HostileRequest[] {
  const none = Buffer.alloc(0);
  const auth = bearer(key);
  const post = (...fields: string[]): string => head('POST', '/v1/pets', auth, JSON_TYPE, ...fields);
  const packed = gzipSync(PET);
  const chunked = Buffer.concat([chunkABytes(PET), LAST_CHUNK]);
  const tunnel = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  const request = (name: string, text: string, body = none): HostileRequest => ({ name, head: text, body });
  return [
    request('a list', head('GET', '/v1/pets?limit=5', auth)),
    request('a get', head('GET', '/v1/pets/1', auth)),
    request('HEAD', head('HEAD', '/v1/pets', auth)),
    request('OPTIONS', head('OPTIONS', '/v1/pets')),
    request('no key', head('GET', '/v1/pets')),
    request('a made-up key', head('GET', '/v1/pets', bearer(madeUpKey()))),
    request('an unknown path', head('GET', '/v1/nothing', auth)),
    request('health', head('GET', '/livez')),
    request('readiness', head('GET', '/readyz')),
    request('the document', head('GET', '/openapi.json')),
    request('a file of the docs', head('GET', '/docs/swagger-ui.css')),
    request('a body with its length', post(`Content-Length: ${PET.length}`), PET),
    request('a chunk a byte', post(CHUNKED), chunked),
    request('a compressed body', post('Content-Encoding: gzip', `Content-Length: ${packed.length}`), packed),
    request(
      'a compressed body, a chunk a byte',
      post('Content-Encoding: gzip', CHUNKED),
      Buffer.concat([chunkABytes(packed), LAST_CHUNK]),
    ),
    request('a body without a key', head('POST', '/v1/pets', JSON_TYPE, CHUNKED), chunked),
    request('a body for health', head('GET', '/livez', CHUNKED), chunked),
    request('a body that waits', post('Expect: 100-continue', `Content-Length: ${PET.length}`), PET),
    request('CONNECT', CONNECT, tunnel),
    request('CONNECT with a key', `CONNECT /v1/pets HTTP/1.1\r\nHost: a\r\n${auth}\r\n\r\n`, tunnel),
    request('an upgrade', head('GET', '/v1/pets', auth, 'Connection: Upgrade', 'Upgrade: websocket'), tunnel),
    request(
      'HTTP/2 by upgrade',
      head('GET', '/livez', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAM'),
      tunnel,
    ),
    request('the absolute form', head('GET', 'http://x/v1/pets?limit=1', auth)),
    request('OPTIONS in absolute form', head('OPTIONS', 'http://x/v1/pets')),
    request('HTTP/1.0', `GET /v1/pets?limit=1 HTTP/1.0\r\n${auth}\r\n\r\n`),
    request('HTTP/1.0 kept', `GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`),
    request('what is no HTTP', '\x16\x03\x01\x02\x00\x01\r\n\r\n'),
  ];
}
