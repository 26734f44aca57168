const quoted = /"[^"]*"/gu

/**
 * Whether a list of entity tags, as in `If-None-Match`, contains a tag. Reads compare weakly, so marks of weakness do not
 * count; `*` stands for every tag.
 */
export function hasTag(list: string, tag: string): boolean {
  const tags: readonly string[] = list.match(quoted) ?? []
  return tags.includes(tag.replace(/^W\//u, '')) || list.replaceAll(quoted, '').includes('*')
}
