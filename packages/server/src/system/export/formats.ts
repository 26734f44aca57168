import type { ExportFormat } from '@tain/contract'
import { compileRow, type Cell, type WriteRow } from '../../engine/serialize.ts'

/** Writers of one format: the opening text, each row, the closing text. */
export interface Writers {
  readonly open: string
  readonly row: (row: Parameters<WriteRow>[0], index: number) => string
  readonly close: string
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

const writers: Readonly<Record<ExportFormat, (cells: readonly Cell[]) => Writers>> = {
  csv: (cells) => csv(cells, ''),
  csv_utf8: (cells) => csv(cells, '\uFEFF'),
  json,
  xml,
  yaml,
}

export const writersOf = (format: ExportFormat, cells: readonly Cell[]): Writers => writers[format](cells)

// csv

/** Writes one cell per value; an object becomes several cells, one per path below it. */
function csv(cells: readonly Cell[], mark: string): Writers {
  const headings = cells.flatMap(({ keys, below }) =>
    below === null ? [keys] : below.map((path) => [...keys, ...path]),
  )
  const heading = headings.map((keys) => csvText(keys.join('.'))).join(',')
  return {
    open: mark,
    row: (row, index) => {
      let line = index === 0 ? `${heading}\n` : ''
      let separator = ''
      for (const cell of cells) {
        line += separator + csvCells(cell, row[cell.index] ?? null)
        separator = ','
      }
      return `${line}\n`
    },
    close: '',
  }
}

function csvCells({ below, write }: Cell, text: string | null): string {
  if (text === null) return ','.repeat(Math.max(0, (below?.length ?? 1) - 1))
  const written = write(text)
  if (below === null) return csvValue(written)
  const value = JSON.parse(written) as Json
  return below.map((path) => csvValue(JSON.stringify(path.reduce<Json>(member, value)))).join(',')
}

const member = (value: Json, key: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? ((value as { readonly [key: string]: Json })[key] ?? null)
    : null

const formulaStarts: ReadonlySet<number> = new Set(
  ['=', '+', '-', '@', '\t', '\r'].map((character) => character.charCodeAt(0)),
)
const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/iu

/** Spreadsheets run text that starts like a formula; a leading quote makes it plain text. Numbers stay numbers. */
function csvValue(written: string): string {
  if (written === 'null') return ''
  if (written.charCodeAt(0) !== QUOTE) return quoteCsv(written)
  // Parsing JSON strings costs more than everything else, and most contain no escapes.
  return csvText(written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1))
}

const csvText = (text: string) =>
  quoteCsv(formulaStarts.has(text.charCodeAt(0)) && !isNumber.test(text) ? `'${text}` : text)

const quoteCsv = (text: string) => (needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text)

const QUOTE = 34
const COMMA = 44
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const LAST_ASCII = 127

/** Compares character codes: this runs for every cell, and a regular expression takes twice as long. */
function needsQuotes(text: string): boolean {
  const { length } = text
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE || code === COMMA || code === LINE_FEED || code === CARRIAGE_RETURN) return true
  }
  return length > 0 && (isBlank(text, 0) || isBlank(text, length - 1))
}

function isBlank(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return (code <= SPACE || code > LAST_ASCII) && /\s/u.test(text.charAt(index))
}

// json

function json(cells: readonly Cell[]): Writers {
  const write = compileRow(cells)
  return {
    open: '[',
    row: (row, index) => {
      const text = JSON.stringify(JSON.parse(write(row)), null, '\t').replaceAll('\n', '\n\t')
      return `${index === 0 ? '' : ','}\n\t${text}`
    },
    close: '\n]\n',
  }
}

// xml

function xml(cells: readonly Cell[]): Writers {
  const write = compileRow(cells)
  return {
    open: '<?xml version="1.0" encoding="UTF-8"?>\n<data>\n',
    row: (row) => `  <item>${members(JSON.parse(write(row)) as { readonly [key: string]: Json })}</item>\n`,
    close: '</data>\n',
  }
}

const members = (value: { readonly [key: string]: Json }): string =>
  Object.entries(value)
    .map(([key, entry]) => element(key, entry))
    .join('')

/** A list repeats the element; null is an empty element. */
function element(key: string, value: Json): string {
  const name = elementName(key)
  if (Array.isArray(value)) return (value as readonly Json[]).map((entry) => element(key, entry)).join('')
  if (value === null) return `<${name}/>`
  if (typeof value === 'object') return `<${name}>${members(value as { readonly [key: string]: Json })}</${name}>`
  return `<${name}>${escapeXml(String(value))}</${name}>`
}

const elementName = (key: string) => {
  const name = key.replace(/[^\p{L}\p{N}_.-]/gu, '_')
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** XML forbids control characters. */
const escapeXml = (text: string) =>
  text.replace(/[&<>"']/gu, (found) => entities[found] ?? found).replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '\uFFFD')

// yaml

function yaml(cells: readonly Cell[]): Writers {
  const write = compileRow(cells)
  return {
    open: '',
    row: (row) => {
      const entries = Object.entries(JSON.parse(write(row)) as { readonly [key: string]: Json })
      if (entries.length === 0) return '- {}\n'
      return entries
        .map(([key, value], index) => `${index === 0 ? '- ' : '  '}${scalar(key)}: ${yamlValue(value)}\n`)
        .join('')
    },
    close: '',
  }
}

/** JSON is valid YAML, so nested values are written as JSON. */
const yamlValue = (value: Json): string => (typeof value === 'string' ? scalar(value) : JSON.stringify(value))

const reserved = /^(true|false|null|yes|no|on|off|y|n)$/iu

const scalar = (text: string): string =>
  /^[A-Za-z][A-Za-z0-9_/.-]*( [A-Za-z0-9_/.-]+)*$/u.test(text) && !reserved.test(text) ? text : JSON.stringify(text)
