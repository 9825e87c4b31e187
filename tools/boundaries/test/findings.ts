/**
 * What ESLint complained of, by file: it prints a file's path on a line, below it its complaints, and at the end
 * their number.
 *
 * @param path the folder from which the names of files are counted
 */
export function findings(output: string, path: string): Map<string, string> {
  const found = new Map<string, string>();
  let current = '';
  for (const line of output.split('\n')) {
    if (line.startsWith(`${path}/`)) current = line.slice(path.length + 1).trim();
    else if (/^[>✖]/.test(line)) current = '';
    else if (current !== '') found.set(current, `${found.get(current) ?? ''}${line}\n`);
  }
  return found;
}
