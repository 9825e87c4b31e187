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

/** Addresses that are none of a photo: portals take a video's in a column of photos. */
const VIDEO = /^https?:\/\/(?:[\w-]+\.)*(?:youtube\.com|youtu\.be|vimeo\.com)(?:[/?]|$)/i;

/** A row of a file by the names of its columns. What is wrong with the cells that were read is in `problems`. */
export class Row {
  readonly problems: Problem[] = [];
  photosLeftOut = 0;

  /** @param places where each column is that the file has */
  constructor(
    private readonly cells: readonly string[],
    private readonly places: ReadonlyMap<string, number>,
    readonly options: ReadOptions,
  ) {}

  /** Whether the file has one of these columns. */
  has(...columns: readonly string[]): boolean {
    return columns.some((column) => this.places.has(column));
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

  /** A text of one line, from the first of these columns that has one. */
  text(...columns: readonly string[]): string | undefined {
    return this.firstText(columns, false);
  }

  /** The texts of these columns that have one, as a list; `undefined` when none has. */
  texts(...columns: readonly string[]): string[] | undefined {
    const texts = columns.map((column) => this.text(column)).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts;
  }

  /** A text of several lines, likewise. */
  lines(...columns: readonly string[]): string | undefined {
    return this.firstText(columns, true);
  }

  /** What one of a few words means, in any case, from the first of these columns that has one. */
  word<Value>(words: Words<Value>, ...columns: readonly string[]): Value | undefined {
    const column = columns.find((name) => this.cell(name) !== undefined);
    if (column === undefined) return undefined;
    const cell = this.cell(column) ?? '';
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

  /** Those of these cells that are addresses of photos a profile can have; the others are counted. */
  photos(...columns: readonly string[]): Photo[] | undefined {
    const urls = new Set<string>();
    for (const column of columns) {
      // ASM3 writes the cells of animals without pictures for RescueGroups as one: `X.jpg","","","`.
      for (const cell of this.cell(column)?.split('","') ?? []) {
        const url = plainText(cell.slice(0, MAX_URL + 1)) ?? '';
        if (url === '' || VIDEO.test(url)) continue;
        if (url.length <= MAX_URL && HTTPS.test(url) && URL.canParse(url)) urls.add(url);
        else this.photosLeftOut++;
      }
    }
    return urls.size === 0 ? undefined : [...urls].map((url) => ({ url }));
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

  /** These members; `undefined` when none has a value. */
  group<Members extends object>(members: Members): Members | undefined {
    return Object.values(members).some((value) => value !== undefined) ? members : undefined;
  }

  refuse(column: string, reason: string): void {
    this.problems.push({ column, reason });
  }

  private firstText(columns: readonly string[], hasLines: boolean): string | undefined {
    for (const column of columns) {
      const text = plainText(this.cell(column) ?? '', hasLines);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

/** Printable ASCII that a URL may hold (RFC 3986), with a host and no user name. */
const HTTPS = /^https:\/\/(?=[^/?#@]+(?:[/?#]|$))[!#-;=?-[\]_a-z~]+$/;
const MAX_URL = 2_048;
