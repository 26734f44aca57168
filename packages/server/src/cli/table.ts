import { printable } from '../lib/printable.ts'
import type { Invocation } from './command.ts'
import { widthOf } from './terminal.ts'

type Cell = string | number | boolean | null
type Row = Readonly<Record<string, Cell>>

/** Prints rows as aligned columns, or as a JSON array with `--json`. */
export function printRows({ options, terminal }: Invocation, columns: readonly string[], rows: readonly Row[]): void {
  if (options['json'] === true) {
    terminal.print(`${JSON.stringify(rows, null, 2)}\n`)
    return
  }
  const lines = [columns, ...rows.map((row) => columns.map((column) => shown(row[column] ?? null)))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => widthOf(line[index] ?? ''))))
  for (const line of lines)
    terminal.print(
      `${line
        .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd()}\n`,
    )
}

/** Prints one object: its values line by line, or JSON with `--json`. */
export function printObject({ options, terminal }: Invocation, object: Row, lines: readonly string[]): void {
  if (options['json'] === true) terminal.print(`${JSON.stringify(object)}\n`)
  else for (const line of lines) terminal.print(`${line}\n`)
}

const shown = (cell: Cell): string => (cell === null ? '–' : printable(String(cell)))
