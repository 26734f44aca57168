import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readPages } from '../docs/pages.ts'
import { type NetworkPolicy, rulesOf } from './egress.ts'
import { blockOf, proxies } from './proxies.ts'
import { renderChart } from './render-chart.ts'

const chart = join(import.meta.dirname, '../../deploy/helm/tain')

test('the page has a configuration for each proxy, and that of nginx passes sockets on', () => {
  for (const { language } of proxies) expect(blockOf(language)).toContain('127.0.0.1:8055')
  expect(blockOf('nginx')).toMatch(/^\s*proxy_set_header Upgrade \$http_upgrade;$/mu)
  expect(blockOf('nginx')).toMatch(/^\s*proxy_set_header Connection \$connection_upgrade;$/mu)
  expect(() => blockOf('apache')).toThrow('has no block of apache')
})

test('a page that uses $connection_upgrade says what it is, or nginx does not start', () => {
  const blocks = readPages().flatMap(({ path, blocks: all }) =>
    all.filter(({ language }) => language === 'nginx').map(({ lines }) => ({ path, text: lines.join('\n') })),
  )
  const using = blocks.filter(({ text }) => text.includes('$connection_upgrade;'))
  expect(using.map(({ path }) => path)).toEqual(['docs/deploy.md'])
  for (const { text } of using) expect(text).toContain('map $http_upgrade $connection_upgrade {')
})

test("the outbound ports of the chart's policy are open, and nothing else", () => {
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Record<string, unknown>
  const policy = renderChart(chart, { name: 'shop', values }).get('network-policy.yaml') as NetworkPolicy
  const rules = rulesOf(policy).map((rule) => rule.join(' '))
  expect(rules).toContain('--protocol udp --dport 53 --jump ACCEPT')
  expect(rules).toContain('--protocol tcp --dport 443 --jump ACCEPT')
  expect(rules.filter((rule) => rule.includes('--dport'))).toHaveLength(8)
  expect(rules.at(-1)).toBe('--jump REJECT')
})
