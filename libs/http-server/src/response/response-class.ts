import {
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';

import { expectsBody } from '../request/expects-body.js';

type GivenFields = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Node's response with the method that makes the head of a response: the status line, then the fields. */
const HeadStoring = ServerResponse as unknown as new (
  ...all: ConstructorParameters<typeof ServerResponse>
) => ServerResponse & { _storeHeader(statusLine: string, fields: unknown): void };

/**
 * Node's response, which writes all header fields with one `writeHead`.
 *
 * Node keeps a table of the fields that are set one by one, checks each when it is set, and walks the table
 * again when the response is written: 19 µs for the 17 fields of a response. Here they wait in a list in the form
 * that `writeHead` takes, and are checked once, when they are written. A caller that does more than set and
 * to look at a field gets node's own table.
 *
 * Fields that every response has are checked when the class is made, and written as one text: 1 KB less garbage.
 * To set or remove one of them on a response makes all of them fields like others there.
 *
 * A response that goes out before its request has arrived whole ends the connection (RFC 9112, section 9.6).
 *
 * Every service has a class of its own, because Express is put between it and node's.
 *
 * @param common of every response; none that node itself takes note of, such as `Connection`
 */
export function createResponseClass(common: Readonly<Record<string, string>> = {}): typeof ServerResponse {
  const commonFields = Object.entries(common).flat();
  const commonText = textOf(common);
  const lengths = lengthsOf(common);

  class ApiResponse extends HeadStoring {
    /** Names and values by turns; `undefined` once node's own table is in use. */
    private fields: OutgoingHttpHeader[] | undefined = [];
    /** Whether the common fields are apart from the others. */
    private hasCommon = true;

    override setHeader(name: string, value: number | string | readonly string[]): this {
      this.joinIfCommon(name);
      const { fields } = this;
      if (fields === undefined || this.headersSent) return super.setHeader(name, value);
      const at = indexOf(fields, name);
      if (at < 0) {
        fields.push(name, value as OutgoingHttpHeader);
      } else {
        fields[at] = name;
        fields[at + 1] = value as OutgoingHttpHeader;
      }
      return this;
    }

    override getHeader(name: string): OutgoingHttpHeader | undefined {
      this.joinIfCommon(name);
      const { fields } = this;
      if (fields === undefined) return super.getHeader(name);
      const at = indexOf(fields, name);
      return at < 0 ? undefined : fields[at + 1];
    }

    override hasHeader(name: string): boolean {
      this.joinIfCommon(name);
      return this.fields === undefined ? super.hasHeader(name) : indexOf(this.fields, name) >= 0;
    }

    override getHeaders(): OutgoingHttpHeaders {
      this.joinCommon();
      const { fields } = this;
      if (fields === undefined) return super.getHeaders();
      const all = Object.create(null) as OutgoingHttpHeaders;
      for (let i = 0; i < fields.length; i += 2) all[String(fields[i]).toLowerCase()] = fields[i + 1];
      return all;
    }

    override getHeaderNames(): string[] {
      return Object.keys(this.getHeaders());
    }

    override appendHeader(name: string, value: string | readonly string[]): this {
      this.useTable();
      return super.appendHeader(name, value);
    }

    override removeHeader(name: string): void {
      this.useTable();
      super.removeHeader(name);
    }

    override writeHead(status: number, phrase?: string | GivenFields, given?: GivenFields): this {
      const more = typeof phrase === 'string' ? given : phrase;
      if (this.headersSent) return super.writeHead(status, more);
      // The rest of the body will not be read, so that no other request can follow it.
      if (expectsBody(this.req)) this.setHeader('Connection', 'close');
      if (typeof phrase === 'string') this.statusMessage = phrase;
      if (this.fields === undefined) return super.writeHead(status, more);
      if (more !== undefined) setAll(this, more);
      try {
        return super.writeHead(status, this.fields);
      } catch (error) {
        // A field that cannot be written must not stand in the way of the response that says so.
        this.fields = [];
        this.hasCommon = true;
        this.statusMessage = '';
        throw error;
      }
    }

    override _storeHeader(statusLine: string, fields: unknown): void {
      super._storeHeader(this.hasCommon ? statusLine + commonText : statusLine, fields);
    }

    private joinIfCommon(name: string): void {
      if (this.hasCommon && (lengths >>> name.length) % 2 === 1) this.joinCommon();
    }

    /** Lets the common fields be like others, in front of them. */
    private joinCommon(): void {
      if (!this.hasCommon) return;
      this.hasCommon = false;
      this.fields = [...commonFields, ...(this.fields ?? [])];
    }

    private useTable(): void {
      this.joinCommon();
      const { fields } = this;
      if (fields === undefined || this.headersSent) return;
      this.fields = undefined;
      for (let i = 0; i < fields.length; i += 2) super.setHeader(String(fields[i]), fields[i + 1] as string);
    }
  }
  return ApiResponse as unknown as typeof ServerResponse;
}

/** @throws TypeError for what cannot be written */
function textOf(fields: Readonly<Record<string, string>>): string {
  let text = '';
  for (const [name, value] of Object.entries(fields)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    text += `${name}: ${value}\r\n`;
  }
  return text;
}

/** A bit for each length that a name has, which tells most other names apart at no cost. */
function lengthsOf(fields: Readonly<Record<string, string>>): number {
  return Object.keys(fields).reduce((bits, { length }) => bits | (1 << length), 0);
}

/** Where a name stands in a list of names and values; -1 where it does not. Case does not count. */
function indexOf(fields: readonly OutgoingHttpHeader[], name: string): number {
  for (let i = 0; i < fields.length; i += 2) {
    const known = fields[i] as string;
    if (known === name) return i;
    // Most names differ in length or in their first letter; to change the case of all would cost more.
    if (known.length === name.length && (known.charCodeAt(0) ^ name.charCodeAt(0)) % 32 === 0) {
      if (known.toLowerCase() === name.toLowerCase()) return i;
    }
  }
  return -1;
}

function setAll(response: ServerResponse, given: GivenFields): void {
  if (Array.isArray(given)) {
    for (let i = 0; i < given.length; i += 2) response.setHeader(String(given[i]), given[i + 1] ?? '');
  } else {
    for (const [name, value] of Object.entries(given)) response.setHeader(name, value ?? '');
  }
}
