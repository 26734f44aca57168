/** What a statement in the log means to somebody who follows rows. */
export type StatementMeaning =
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'nothing' | 'shape' }
  /** Rows have changed, and the log does not say which. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'empty'; readonly schema: string | null; readonly table: string }
  /** Ends a prepared transaction of this name. */
  | { readonly kind: 'commitPrepared' | 'rollbackPrepared'; readonly name: string }

const NAME = String.raw`(?:\x60((?:[^\x60]|\x60\x60)+)\x60|"((?:[^"]|"")+)"|([\w$\u0080-\uffff]+))`
const TABLE = String.raw`${NAME}(?:\s*\.\s*${NAME})?`
const empties = [
  new RegExp(String.raw`^truncate(?:\s+table)?\s+${TABLE}`, 'iu'),
  new RegExp(String.raw`^create\s+or\s+replace\s+table\s+${TABLE}`, 'iu'),
  // Rows go with partitions, and come with them.
  new RegExp(
    String.raw`^alter\s+(?:online\s+|ignore\s+)*table\s+(?:if\s+exists\s+)?${TABLE}\s[^;]*\b(?:truncate|drop|exchange|convert)\s+(?:partition|table)`,
    'iu',
  ),
]

const unquoted = ([back, double, bare]: readonly (string | undefined)[]): string | undefined =>
  back?.replaceAll('``', '`') ?? double?.replaceAll('""', '"') ?? bare

/** Comments before a statement; what MariaDB would run is part of it. */
const withoutComments = (text: string): string =>
  text.replace(/^(?:\s+|\/\*(?!!|M!)[\s\S]*?\*\/|#[^\n]*\n|--\s[^\n]*\n)+/u, '').replace(/^\/\*M?!\d*\s*/u, '')

const changesRows = /^(?:insert|replace|update|delete|load|with|call|set\s+statement|begin\s+not\s+atomic)\b/iu

export function meaningOf(statement: string): StatementMeaning {
  const text = withoutComments(statement)
  if (/^(?:begin|start\s+transaction)\s*$/iu.test(text)) return { kind: 'begin' }
  if (/^commit\s*$/iu.test(text)) return { kind: 'commit' }
  if (/^rollback\s*$/iu.test(text)) return { kind: 'rollback' }
  const prepared = /^xa\s+(commit|rollback)\s+(.+?)\s*$/isu.exec(text)
  if (prepared !== null)
    return {
      kind: prepared[1]?.toLowerCase() === 'commit' ? 'commitPrepared' : 'rollbackPrepared',
      name: prepared[2] ?? '',
    }
  if (/^(?:savepoint|release|xa|flush|analyze|optimize)\b/iu.test(text)) return { kind: 'nothing' }
  // Parts of what is already in the log did not happen.
  if (/^rollback\s+to\b/iu.test(text) || changesRows.test(text)) return { kind: 'unknown' }
  for (const pattern of empties) {
    const found = pattern.exec(text)
    if (found === null) continue
    const [first, second] = [unquoted(found.slice(1, 4)), unquoted(found.slice(4, 7))]
    return second === undefined
      ? { kind: 'empty', schema: null, table: first ?? '' }
      : { kind: 'empty', schema: first ?? '', table: second }
  }
  return { kind: 'shape' }
}
