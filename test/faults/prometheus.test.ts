import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { routeClasses, statusClasses } from '../../packages/server/src/http/route-class.ts'
import { eventKinds } from '../../packages/server/src/metrics/events.ts'
import { poolRefusals } from '../../packages/server/src/sql/driver.ts'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { freePort } from '../lib/free-port.ts'
import { startService, until, type Service } from '../lib/service.ts'
import { promtool, startPrometheus, type Prometheus } from './prometheus.ts'

const deployed = (path: string) => fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url))
const ALERTS = deployed('prometheus/alerts.yml')

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}
const rules = (parse(readFileSync(ALERTS, 'utf8')) as Rules).groups.flatMap((group) => group.rules)

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}
const { panels } = JSON.parse(readFileSync(deployed('grafana/tain.json'), 'utf8')) as Dashboard

/** Every expression of the alerts and of the dashboard, as Prometheus gets it. */
const expressions: readonly (readonly [place: string, expression: string])[] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr.replaceAll('$job', 'tain').replaceAll('$__rate_interval', '1m')] as const),
  ),
]

/** The values that labels have. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
  job: ['tain'],
  route: routeClasses,
  status: statusClasses,
  reason: poolRefusals,
  kind: eventKinds,
  pool: ['requests', 'schema', 'background', 'dialect'],
}

let database: TestDatabase
let service: Service
let prometheus: Prometheus
let port: number

beforeAll(async () => {
  database = await createDatabase('sqlite')
  await database.query('create table notes (id integer primary key, body text)')
  port = await freePort()
  service = await startService({ DATABASE_URL: database.url, METRICS_PORT: String(port) })
  prometheus = await startPrometheus(port, [ALERTS])
})

afterAll(async () => {
  await prometheus?.stop()
  await service.stop()
  await database.drop()
})

test('promtool finds nothing to complain about in the names of the service', async () => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const { output } = await promtool(['check', 'metrics'], text)
  expect(output.split('\n').filter((line) => line.startsWith('tain_'))).toEqual([])
})

test('a Prometheus server reads the metrics', async () => {
  for (let id = 1; id <= 7; id += 1) await service.send('POST', '/items/notes', { id })
  const written = 'tain_http_request_duration_seconds_count{route="items_write",status="2xx"}'
  await until(async () => (await prometheus.value(written)) === 7, 30, 'Prometheus has counted the writes')
  expect(await prometheus.value('up{job="tain"}')).toBe(1)
  expect(await prometheus.value('count(tain_build_info)')).toBe(1)
})

test('promtool accepts the alerts, and their tests pass', async () => {
  expect(await promtool(['check', 'rules', ALERTS])).toMatchObject({ code: 0 })
  expect(await promtool(['test', 'rules', deployed('prometheus/alerts.test.yml')])).toMatchObject({ code: 0 })
})

test('alerts and dashboard name only metrics and labels that exist', async () => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name = '']) => name))
  const named = expressions.flatMap(
    ([, expression]) => expression.match(/\b(?:tain|nodejs|process)_[a-z0-9_]+/gu) ?? [],
  )
  expect(named.length).toBeGreaterThan(expressions.length)
  expect(named.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/u, '')))).toEqual([])
  const values = expressions.flatMap(([, expression]) =>
    [...expression.matchAll(/([a-z]+)=~?"([^"]*)"/gu)].flatMap(([, label = '', listed = '']) =>
      listed.split('|').map((value) => ({ label, value })),
    ),
  )
  expect(values.filter(({ label, value }) => vocabularies[label]?.includes(value) !== true)).toEqual([])
})

test.each(expressions)('Prometheus can compute "%s"', async (_, expression) => {
  await expect(prometheus.value(expression)).resolves.toSatisfy((value) => value === null || typeof value === 'number')
})

/** Last, because it ends the service. */
test('a service that ends raises an alert', async () => {
  expect(await prometheus.alerts()).not.toContain('TainDown')
  await service.stop()
  await until(async () => (await prometheus.alerts()).includes('TainDown'), 30, 'the alert is pending')
  expect(await prometheus.value('up{job="tain"}')).toBe(0)
})
