import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { readPage, root } from './pages.ts'

const PAGE = 'docs/operations/observability.md'

interface Rule {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}
const { groups } = parse(readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}

test('docs/operations/observability.md lists every alert; UPDATE_DOCS=1 writes the table', () => {
  const table = [
    '| Alert | Severity | Meaning | What to do |',
    '|---|---|---|---|',
    ...groups
      .flatMap(({ rules }) => rules)
      .map(
        ({ alert, labels: { severity }, annotations: { summary, description } }) =>
          `| \`${alert}\` | ${severity} | ${summary} | ${description} |`,
      ),
  ]
  const { lines } = readPage(PAGE)
  const [start, end] = [lines.indexOf('<!-- alerts -->'), lines.indexOf('<!-- /alerts -->')]
  const isWritten = process.env['UPDATE_DOCS'] !== undefined
  if (isWritten)
    writeFileSync(join(root, PAGE), [...lines.slice(0, start + 1), '', ...table, '', ...lines.slice(end)].join('\n'))
  expect(isWritten ? table : lines.slice(start + 2, end - 1)).toEqual(table)
})

test('there is a runbook for every alert', () => {
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  const sections = readPage('docs/operations/runbooks.md').lines.flatMap(
    (line) => /^## (Tain\w+)$/u.exec(line)?.[1] ?? [],
  )
  expect(sections).toEqual(alerts)
})
