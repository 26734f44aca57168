import type { ReactNode } from 'react'

const marks = /`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^)\s]+|\/[^)\s]*)\)|\*\*([^*]+)\*\*|[*_]([^*_]+)[*_]/gu

/** A note with the little Markdown that fits into a line: code, links, emphasis. */
export function noteNodes(text: string): readonly ReactNode[] {
  const nodes: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(marks)) {
    const [whole, code, label, href, strong, emphasis] = match
    nodes.push(text.slice(at, match.index))
    nodes.push(
      code !== undefined ? (
        <code key={match.index}>{code}</code>
      ) : href !== undefined ? (
        <a key={match.index} href={href} target="_blank" rel="noreferrer">
          {label}
        </a>
      ) : strong !== undefined ? (
        <strong key={match.index}>{strong}</strong>
      ) : (
        <em key={match.index}>{emphasis}</em>
      ),
    )
    at = match.index + whole.length
  }
  nodes.push(text.slice(at))
  return nodes.filter((node) => node !== '')
}
