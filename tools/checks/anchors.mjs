/** What links can name in a Markdown document: its headings, as GitHub writes them, and elements with an id. */
export function anchorsOf(markdown) {
  const anchors = new Set();
  // Fenced code has lines that look like headings.
  const text = markdown.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1`*~*$/gm, '');
  for (const [, , heading, id] of text.matchAll(
    /^(#{1,6}) +(.+?) *#*$|<[a-z]+ [^>]*\b(?:id|name)="([^"]+)"/gm,
  )) {
    const slug = id ?? slugOf(heading);
    let unique = slug;
    for (let i = 1; anchors.has(unique); i++) unique = `${slug}-${i}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Lower case, without punctuation, hyphens for spaces; of a link its text. */
function slugOf(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
