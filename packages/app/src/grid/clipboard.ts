/** Cells as spreadsheets exchange them. */
export type Cells = readonly (readonly string[])[]

/** Cells with tabs between them. Text with a tab, a line break or a quote is quoted, as spreadsheets do. */
export const toTsv = (cells: Cells): string => cells.map((row) => row.map(quoted).join('\t')).join('\n')

const quoted = (text: string): string => (/["\t\n\r]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/gu, (mark) => escapes[mark] ?? mark)

/** Cells as a table of HTML, each with the exact value beside its words. */
export const toHtml = (cells: Cells, exact: Cells): string =>
  `<table>${cells
    .map(
      (row, line) =>
        `<tr>${row
          .map((text, column) => `<td data-value="${escaped(exact[line]?.[column] ?? text)}">${escaped(text)}</td>`)
          .join('')}</tr>`,
    )
    .join('')}</table>`

/** Reads cells with tabs between them; quotes hold tabs and line breaks together. */
export function parseTsv(text: string): Cells {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = (): void => {
    row.push(cell)
    cell = ''
  }
  const endRow = (): void => {
    endCell()
    rows.push(row)
    row = []
  }
  const plain = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  for (let at = 0; at < plain.length; at++) {
    const letter = plain[at] ?? ''
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (plain[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (letter === '"' && cell === '' && closes(plain, at)) isQuoted = true
    else if (letter === '\t') endCell()
    else if (letter === '\n') endRow()
    else cell += letter
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

/** Whether a quote opens a quoted cell: another one closes it before a tab or the end of a line. */
const closes = (text: string, at: number): boolean => /^"(?:[^"]|"")*"(?:[\t\n]|$)/u.test(text.slice(at))

/** Repeats cells over a larger place, as pasting one value into many does. */
export function tiled(cells: Cells, rows: number, columns: number): Cells {
  const height = cells.length
  const width = Math.max(...cells.map((row) => row.length))
  if (height === 0 || rows % height !== 0 || columns % width !== 0) return cells
  return Array.from({ length: Math.max(rows, height) }, (_, line) =>
    Array.from({ length: Math.max(columns, width) }, (__, column) => cells[line % height]?.[column % width] ?? ''),
  )
}
