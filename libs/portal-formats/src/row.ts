import type { Fee, Photo, Problem } from './animal.js';
import { decoded } from './csv-rows.js';
import { AMBIGUOUS, type DateOrder, readDay } from './days.js';
import { found, plainText } from './text.js';
import type { Words } from './words.js';

export interface ReadOptions {
  /** Of days such as `03/04/2024`, which are refused without it. */
  readonly dateOrder?: DateOrder | undefined;
  /** ISO 4217; what the fees of the file are in. `USD` unless given. */
  readonly currency?: string | undefined;
  /** Is told the names of the columns that are unknown. */
  readonly ignored?: (columns: readonly string[]) => void;
}

/** Hosts of addresses that are none of a photo: portals take a video's in a column of photos. */
const VIDEO_HOST = /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com)$/;

/** Printable ASCII that a URL may hold (RFC 3986), with a host and no user name. */
const HTTPS = /^https:\/\/(?=[^/?#@]+(?:[/?#]|$))[!#-;=?-[\]_a-z~]+$/;
const MAX_URL = 2_048;

/** A row of a file by the names of its columns. What is wrong with the cells that were read is in `problems`. */
export class Row {
  readonly problems: Problem[] = [];
  photosLeftOut = 0;

  /** @param places where each column is that the file has */
  constructor(
    private readonly cells: readonly string[],
    private readonly places: ReadonlyMap<string, number>,
    private readonly options: ReadOptions,
  ) {}

  /** Whether the file has this column. */
  has(column: string): boolean {
    return this.places.has(column);
  }

  /** The cell as it is; `undefined` when it is empty or there is none. */
  raw(column: string): string | undefined {
    const cell = this.cells[this.places.get(column) ?? -1] ?? '';
    if (cell === '') return undefined;
    const text = decoded(cell);
    if (text === undefined) this.refuse(column, 'must be encoded in UTF-8');
    return text;
  }

  /** The cell without white space around it; `undefined` when nothing is left. */
  cell(column: string): string | undefined {
    const text = this.raw(column)?.trim();
    return text === '' ? undefined : text;
  }

  /** A text of one line, or of several. */
  text(column: string, hasLines = false): string | undefined {
    return plainText(this.cell(column) ?? '', hasLines);
  }

  /** What one of a few words means, in any case. */
  word<Value>(words: Words<Value>, column: string): Value | undefined {
    const cell = this.cell(column);
    if (cell === undefined) return undefined;
    const word = cell.toLowerCase();
    if (Object.hasOwn(words, word)) return words[word];
    this.refuse(column, `must be one of ${Object.keys(words).join(', ')}, or blank${found(cell)}`);
    return undefined;
  }

  /** `YYYY-MM-DD`. */
  day(column: string): string | undefined {
    const cell = this.cell(column);
    if (cell === undefined) return undefined;
    const day = readDay(cell, this.options.dateOrder);
    if (day !== undefined && day !== AMBIGUOUS) return day;
    this.refuse(column, (day ?? 'must be a day that exists, such as 2024-04-03') + found(cell));
    return undefined;
  }

  /** The addresses of a cell that are of photos and that a profile can have; the others are counted. */
  photos(column: string): Photo[] | undefined {
    const photos: Photo[] = [];
    // ASM3 writes the cells of animals without pictures for RescueGroups as one: `X.jpg","","","`.
    for (const cell of this.cell(column)?.split('","') ?? []) {
      const url = plainText(cell.slice(0, MAX_URL + 1)) ?? '';
      const host = URL.canParse(url) ? new URL(url).hostname : undefined;
      if (url === '' || VIDEO_HOST.test(host ?? '')) continue;
      if (url.length <= MAX_URL && HTTPS.test(url) && host !== undefined) photos.push({ url });
      else this.photosLeftOut++;
    }
    return photos.length === 0 ? undefined : photos;
  }

  /** A fee in the currency of the file. */
  fee(column: string): Fee | undefined {
    const cell = this.cell(column);
    if (cell === undefined) return undefined;
    const amount = cell.replace(/^\$|[\s,](?=\d{3}(?:\D|$))/g, '').trim();
    if (/^\d+(?:\.\d+)?$/.test(amount)) return { amount, currency: this.options.currency ?? 'USD' };
    this.refuse(column, `must be a number, such as 120.00${found(cell)}`);
    return undefined;
  }

  refuse(column: string, reason: string): void {
    this.problems.push({ column, reason });
  }
}
