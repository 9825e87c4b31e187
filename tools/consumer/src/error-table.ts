/** The table of errors that a page has, as its Markdown; the contract's is compared with the service's catalogue. */
export function errorTableOf(page: string): string | undefined {
  return /^\| status +\| code +\| when +\|\n(?:\|.*\|\n)+/m.exec(page)?.[0];
}
