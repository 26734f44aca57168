/**
 * A name as a path writes it: in `fields`, `sort`, `groupBy`, `aggregate` and `alias`, a backslash precedes each character
 * that has a meaning there. Filters and payloads take names as they are.
 */
export const writtenName = (name: string): string =>
  name === '*' ? String.raw`\*` : name.replace(/[\\.,:()]|^[\s-]|\s$/gu, String.raw`\$&`)

/** The name that a step of a path stands for. */
export const readName = (written: string): string => written.replace(/\\(.)/gsu, '$1')

/**
 * Splits a text at a character, except inside parentheses and after `\`. The pieces keep their escapes, because they
 * are split again at other characters before `readName` turns them into names.
 */
export function splitWritten(text: string, at: string): string[] {
  const pieces: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]
    if (character === '\\') i += 1
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (character === at && depth <= 0) {
      pieces.push(text.slice(start, i))
      start = i + 1
    }
  }
  pieces.push(text.slice(start))
  return pieces
}
