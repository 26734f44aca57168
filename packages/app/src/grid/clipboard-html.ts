import type { Cells } from './clipboard.ts'

/** Reads the first table of HTML, as spreadsheets and pages put it on the clipboard; null: there is none. */
export function parseHtml(html: string): Cells | null {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table')
  if (table === null) return null
  return [...table.rows].map((row) =>
    [...row.cells].map((cell) => cell.dataset['value'] ?? cell.textContent.trim().replaceAll(/[ \t]*\n[ \t]*/gu, '\n')),
  )
}
