import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const PAGE = new URL('../../../../docs/operations/observability.md', import.meta.url)
const [START, END] = ['<!-- metrics -->\n', '\n<!-- /metrics -->']

const metrics = createMetrics({
  version: '1.2.3',
  pools: () => [
    [
      'requests',
      { max: 10, open: 4, idle: 1, waiting: 2, refused: { outage: 3, full: 0, late: 1 }, outage: null, wait: 0 },
    ],
    [
      'dialect',
      { max: 1, open: 0, idle: 0, waiting: 0, refused: { outage: 0, full: 0, late: 0 }, outage: null, wait: 0 },
    ],
  ],
  isReachable: () => false,
})

interface Described {
  readonly name: string
  readonly help: string
  readonly type: string
}

const describedIn = (text: string): readonly Described[] =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gmu)].map(([, name = '', help = '', type = '']) => ({
    name,
    help,
    type,
  }))

/** Labels of the first sample, without those that the format itself adds. */
const labelsIn = (text: string, name: string): readonly string[] => {
  const [, labels = ''] = new RegExp(`^${name}(?:_bucket|_count)?\\{(.*)\\} `, 'mu').exec(text) ?? []
  return [...labels.matchAll(/([a-z_]+)="/gu)].map(([, label = '']) => label).filter((label) => label !== 'le')
}

test('docs/operations/observability.md lists every metric; UPDATE_DOCS=1 writes the table', async () => {
  metrics.meter.began()
  metrics.meter.ended('items_read', '2xx', 0.002)
  metrics.meter.refused('full')
  const text = await metrics.text()
  const rows = describedIn(text).map(({ name, help, type }) => {
    const labels = labelsIn(text, name).map((label) => `\`${label}\``)
    return `| \`${name}\` | ${type} | ${labels.join(', ')} | ${help} |`
  })
  const table = ['', '| Metric | Type | Labels | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest = ''] = page.split(START)
  const [listed, after = ''] = rest.split(END)
  const isWritten = process.env['UPDATE_DOCS'] !== undefined
  if (isWritten) writeFileSync(PAGE, `${before}${START}${table}${END}${after}`)
  expect(isWritten ? table : listed).toBe(table)
})

test('refusals are counted by their reason, from the start', async () => {
  expect(await metrics.text()).toContain('tain_http_refused_total{reason="away"} 0')
})

test('the state of pools is read for each answer, and an outage is 1', async () => {
  const text = await metrics.text()
  expect(text).toContain('tain_pool_waiting{pool="requests"} 2')
  expect(text).toContain('tain_pool_refused_total{pool="requests",reason="outage"} 3')
  // Read again, not added.
  expect(await metrics.text()).toContain('tain_pool_refused_total{pool="requests",reason="outage"} 3')
  expect(text).toContain('tain_database_outage 1')
})

test('events are counted by what they stand for', async () => {
  metrics.observe({ kind: 'mails-lost', count: 5 })
  metrics.observe({ kind: 'refresh-replayed', user: 'somebody' })
  const text = await metrics.text()
  expect(text).toContain('tain_events_total{kind="mails-lost"} 5')
  expect(text).toContain('tain_events_total{kind="refresh-replayed"} 1')
  expect(text).not.toContain('somebody')
})
