import type { Row } from '../sql/driver.ts'

/**
 * One value of a row: its keys in the response, its position in the row, and the function that turns its text into
 * JSON.
 */
export interface Cell {
  readonly keys: readonly string[]
  readonly index: number
  readonly write: (text: string) => string
  /** For an object of known shape, the paths to its values; null for everything else. */
  readonly below: readonly (readonly string[])[] | null
}

export type WriteRow = (row: Row) => string

/** A serializer for rows of one shape. The JSON text between the values is built only once. */
export function compileRow(cells: readonly Cell[]): WriteRow {
  const { before, order, end } = layOut(cells)
  const count = order.length
  const indexes = order.map(({ index }) => index)
  const writes = order.map(({ write }) => write)
  return (row) => {
    let text = ''
    for (let i = 0; i < count; i += 1) {
      const value = row[indexes[i] as number]
      text += before[i]
      text += value === null || value === undefined ? 'null' : (writes[i] as Cell['write'])(value)
    }
    return text + end
  }
}

interface Layout {
  readonly before: readonly string[]
  readonly order: readonly Cell[]
  readonly end: string
}

/** Cells in the order of their keys, with cells that share a first key grouped, and the JSON text before each cell. */
function layOut(cells: readonly Cell[]): Layout {
  const before: string[] = []
  const order: Cell[] = []
  let pending = ''
  const visit = (group: readonly Cell[], depth: number): void => {
    pending += '{'
    const byKey = new Map<string, Cell[]>()
    for (const cell of group) {
      const key = cell.keys[depth] ?? ''
      const same = byKey.get(key)
      if (same === undefined) byKey.set(key, [cell])
      else same.push(cell)
    }
    let isFirst = true
    for (const [key, same] of byKey) {
      pending += `${isFirst ? '' : ','}${JSON.stringify(key)}:`
      isFirst = false
      const leaf = same.find((cell) => cell.keys.length === depth + 1)
      if (leaf === undefined) visit(same, depth + 1)
      else {
        before.push(pending)
        order.push(leaf)
        pending = ''
      }
    }
    pending += '}'
  }
  visit(cells, 0)
  return { before, order, end: pending }
}
