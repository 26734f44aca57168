/** The lines of each declaration, by name. The head of the file has the empty name. */
function declarations(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>([['', []]])
  let lines = found.get('') ?? []
  for (const line of text.split('\n')) {
    const name = /^export (?:type|interface) (\w+)/u.exec(line)?.[1]
    if (name !== undefined) {
      lines = []
      found.set(name, lines)
    }
    if (line.trim() !== '') lines.push(line.trim())
  }
  return found
}

const missingIn = (lines: readonly string[], others: readonly string[], sign: string): readonly string[] =>
  lines.filter((line) => !others.includes(line)).map((line) => `    ${sign} ${line}`)

/** How two generated files differ, line by line below the name of each declaration. Empty: they do not. */
export function differences(old: string, now: string): readonly string[] {
  const [before, after] = [declarations(old), declarations(now)]
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const found = names.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    if (was === undefined) return [`  + ${name}`]
    if (is === undefined) return [`  - ${name}`]
    const lines = [...missingIn(was, is, '-'), ...missingIn(is, was, '+')]
    return lines.length === 0 ? [] : [`  ${name === '' ? 'the first line' : name}`, ...lines]
  })
  return found.length === 0 && old !== now ? ['  the order of lines, or blanks'] : found
}
