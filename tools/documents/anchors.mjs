/** What links can name in a Markdown document: its headings as GitHub writes them, and elements with an id. */
export function anchorsOf(markdown) {
  const anchors = new Set();
  for (const line of withoutCode(markdown).split('\n')) {
    for (const [, id] of line.matchAll(/<[a-z]+ [^>]*\b(?:id|name)="([^"]+)"/g)) anchors.add(id);
    const [, heading] = /^#{1,6} +(.+?) *#*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let unique = slug;
    for (let i = 1; anchors.has(unique); i++) unique = `${slug}-${i}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Fenced blocks of code hold lines that look like headings. */
function withoutCode(markdown) {
  return markdown.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1`*~*$/gm, '');
}

/** Lower case, without punctuation, hyphens for spaces; of a link its text. */
function slugOf(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
