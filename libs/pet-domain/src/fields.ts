/**
 * How the value of a field is written.
 *
 * - `int64`: decimal digits, in JSON without quotation marks.
 * - `text`: any text without control characters and lone surrogates; in JSON a quotation mark and a backslash need an
 *   escape, and no other character does.
 * - `json`: JSON text, which is written as it is.
 * - `word`: one of a closed list of words of ASCII letters, digits and signs that never need an escape; an instant is one, too.
 */
export type FieldKind = 'int64' | 'text' | 'json' | 'word';

/**
 * The one declaration of the fields of a resource, in the order in which its JSON has them. The JSON text, the columns
 * of its statements and the writer from rows to JSON are made from it. The compiler sees to it that no member is missing.
 */
export type Fields<T> = Readonly<Record<keyof T & string, FieldKind>>;
