/** Elements of an array as the database prints them; null for NULL. */
export type ArrayTexts = readonly (string | null | ArrayTexts)[]

/** All types separate elements by commas, except `box`. */
const delimiterOf = (elementType: string) => (elementType === 'box' ? ';' : ',')

/** Parses `{1,NULL,"a \"b\""}`, also with several dimensions, with or without bounds before it (`[0:1]={1,2}`). */
export function readArray(text: string, elementType: string): ArrayTexts {
  const delimiter = delimiterOf(elementType)
  let position = text.indexOf('{')

  const element = (): string | null => {
    if (text[position] !== '"') {
      const start = position
      while (position < text.length && text[position] !== delimiter && text[position] !== '}') position += 1
      const bare = text.slice(start, position)
      return bare === 'NULL' ? null : bare
    }
    let value = ''
    for (position += 1; position < text.length && text[position] !== '"'; position += 1) {
      if (text[position] === '\\') position += 1
      value += text[position] ?? ''
    }
    position += 1
    return value
  }

  const list = (): ArrayTexts => {
    const items: (string | null | ArrayTexts)[] = []
    for (position += 1; position < text.length && text[position] !== '}';) {
      if (text[position] === delimiter) position += 1
      items.push(text[position] === '{' ? list() : element())
    }
    position += 1
    return items
  }
  return position === -1 ? [] : list()
}

export function writeArray(items: ArrayTexts, elementType: string): string {
  const parts = items.map((item) => {
    if (item === null) return 'NULL'
    return typeof item === 'string' ? `"${item.replace(/["\\]/gu, '\\$&')}"` : writeArray(item, elementType)
  })
  return `{${parts.join(delimiterOf(elementType))}}`
}

/** The elements as one JSON array. */
export const jsonOfArray = (items: ArrayTexts, write: (text: string) => string): string =>
  `[${items.map((item) => (item === null ? 'null' : typeof item === 'string' ? write(item) : jsonOfArray(item, write))).join(',')}]`

/** Lengths of nested lists, from the outside in; null if sibling lists differ in length, which no array allows. */
export function dimensionsOf(items: readonly unknown[]): readonly number[] | null {
  const [first = [], ...others] = items.map((item) => (Array.isArray(item) ? dimensionsOf(item) : []))
  if (first === null || others.some((other) => other === null || other.join() !== first.join())) return null
  return [items.length, ...first]
}
