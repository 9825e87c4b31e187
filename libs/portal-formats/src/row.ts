import { HttpsUrl, PetProfile } from '@petstore/pet-domain';
import type { Photo, Problem, Profile } from './animal.js';
import { NO_UTF8 } from './csv-rows.js';
import { AMBIGUOUS, type DateOrder, readDay } from './days.js';
import { found, plainText, shortened } from './text.js';
import type { Words } from './words.js';

export interface ReadOptions {
  /** Of days such as `03/04/2024`, which are refused without it. */
  readonly dateOrder?: DateOrder | undefined;
  /** ISO 4217; what the fees of the file are in. `USD` unless given. */
  readonly currency?: string | undefined;
  /** Is told the names of the columns that are unknown. */
  readonly ignored?: (columns: readonly string[]) => void;
  /** Is told what is to be looked at although it is read. */
  readonly warn?: (line: number, reason: string) => void;
}

/** Hosts of addresses that are none of a photo: portals take a video's in a column of photos. */
const VIDEO_HOST = /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com)$/;

/** Characters of an address that are looked at: one of a profile has fewer. */
const MOST_OF_ADDRESS = 4_096;

/** Most addresses that are looked for in one cell. */
export const MOST_ADDRESSES = 100;

/** Characters of a cell for one of the text that is made of it: a character reference has up to 33. */
const MOST_MARKUP = 40;

/** A long number as spreadsheets write it in any language, and have rounded it. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d*)?[eE][+-]\d+$/;
/** What spreadsheets show in place of a value that they cannot find or compute. */
const SPREADSHEET_ERROR = /^#(?:N\/A|[A-Z]+(?:\/0)?[!?])$/;

/** A row of a file by the names of its columns. What is wrong with the cells that were read is in `problems`. */
export class Row {
  readonly problems: Problem[] = [];
  photosLeftOut = 0;
  /** Texts that were cut. */
  shortened = 0;
  /** Addresses of photos. */
  private readonly urls = new Set<string>();

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
    if (!cell.includes(NO_UTF8)) return cell;
    this.refuse(column, 'must be encoded in UTF-8');
    return undefined;
  }

  /** The cell without white space around it; `undefined` when nothing is left. */
  cell(column: string): string | undefined {
    const text = this.raw(column)?.trim();
    return text === '' ? undefined : text;
  }

  /** A text of one line. */
  text(column: string): string | undefined {
    return plainText(this.cell(column) ?? '');
  }

  /** The same as the first of a list. */
  list(column: string): string[] | undefined {
    const text = this.text(column);
    return text === undefined ? undefined : [text];
  }

  /** A description, cut at a word where it is longer than one of a profile. */
  lines(column: string): string | undefined {
    const longest = PetProfile.MAX_DESCRIPTION;
    const text = plainText((this.cell(column) ?? '').slice(0, longest * MOST_MARKUP), true);
    const short = text === undefined || text.length <= longest ? text : shortened(text, longest);
    if (short !== text) this.shortened++;
    return short;
  }

  /** By what a shelter or its program knows an animal. @param text the cell as its format has texts */
  reference(column: string, text = this.text(column)): string | undefined {
    if (text !== undefined && SPREADSHEET_ERROR.test(text)) {
      this.refuse(column, `must not be an error of a spreadsheet${found(text)}`);
      return undefined;
    }
    if (text === undefined || !EXPONENT.test(text)) return text;
    const why = 'A spreadsheet writes a long number so, and has rounded it: export the column as text';
    this.refuse(column, `must not have an exponent${found(text)}. ${why}`);
    return undefined;
  }

  /** What one of a few words means, in any case. */
  word<Value>(words: Words<Value>, column: string): Value | undefined {
    const cell = this.cell(column);
    if (cell === undefined) return undefined;
    const word = keyOf(cell);
    if (!words.has(word))
      this.refuse(column, `must be one of ${[...words.keys()].join(', ')}, or blank${found(cell)}`);
    return words.get(word);
  }

  /** What a word of a list means; one that is not in it says nothing. */
  known<Value>(words: Words<Value>, column: string): Value | undefined {
    return words.get(keyOf(this.cell(column) ?? ''));
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

  /** The addresses of a cell that are of photos and that a profile can have, each once; the others are counted. */
  photos(column: string): Photo[] | undefined {
    // ASM3 writes the cells of animals without pictures for RescueGroups as one: `X.jpg","","","`.
    return this.photosOf(this.cell(column)?.split('","', MOST_ADDRESSES) ?? []);
  }

  /** The same of addresses that the cell has in a form of its own. */
  photosOf(addresses: readonly string[]): Photo[] | undefined {
    const photos: Photo[] = [];
    for (const address of addresses.slice(0, MOST_ADDRESSES)) {
      const text = plainText(address.slice(0, MOST_OF_ADDRESS)) ?? '';
      const host = URL.canParse(text) ? new URL(text).hostname : '';
      if (text === '' || VIDEO_HOST.test(host) || this.urls.has(text)) continue;
      const url = HttpsUrl.parse(text);
      if (url !== undefined && this.urls.size < PetProfile.MAX_PHOTOS) photos.push({ url });
      else this.photosLeftOut++;
      if (url !== undefined) this.urls.add(url);
    }
    return photos.length === 0 ? undefined : photos;
  }

  /** A fee in the currency of the file. */
  fee(column: string): Profile['adoptionFee'] {
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

/** As tables of words have it. A cell may have its accents as characters of their own. */
const keyOf = (cell: string): string => cell.normalize().toLowerCase();
