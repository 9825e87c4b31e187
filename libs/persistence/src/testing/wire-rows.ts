/** Messages of PostgreSQL's protocol as a server writes them. */
export function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** What a DataRow holds for these columns. */
export function rowBody(columns: readonly string[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(columns.length);
  const values = columns.flatMap((column) => {
    const value = Buffer.from(column);
    const length = Buffer.alloc(4);
    length.writeInt32BE(value.length);
    return [length, value];
  });
  return Buffer.concat([count, ...values]);
}
