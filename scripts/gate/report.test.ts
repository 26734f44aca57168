import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { secondsIn } from './cpu-time.ts'
import { costLines, countOf, failureLines } from './report.ts'

const stage = (name: string, isOk: boolean, cpu = 1) => ({ name, isOk, seconds: 2, cpu })
const file = (name: string, cpu: number) => ({ file: name, project: 'unit', seconds: 1, cpu })

describe('the count of the gate', () => {
  test('is that of tests and suites', () => {
    const counted = new Map([
      ['test', { passed: 10, failed: 1 }],
      ['acceptance', { passed: 5, failed: 0 }],
    ])
    expect(countOf([stage('check', true), stage('test', false), stage('acceptance', true)], counted)).toEqual({
      passed: 15,
      failed: 1,
    })
  })

  test('has a failure for a stage that failed without a failed test', () => {
    const counted = new Map([['test', { passed: 10, failed: 0 }]])
    expect(countOf([stage('check', false), stage('test', false)], counted)).toEqual({ passed: 10, failed: 2 })
  })
})

test('costs are compared with those that are expected', () => {
  const lines = costLines(
    [stage('check', true, 100), stage('build', true, 12), stage('package', true, 7)],
    [file('cheap.test.ts', 1), file('dear.test.ts', 30)],
    { stages: { check: 60, build: 10 }, files: { 'unit dear.test.ts': 29 } },
  )
  const found = (name: string) => lines.find((line) => line.includes(name))
  expect(found('check')).toContain('DEARER than 60')
  expect(found('build')).toContain('expected 10')
  expect(found('package')).toMatch(/package$/u)
  expect(found('together')).toContain('119.0')
  expect(found('dear.test.ts')).toContain('expected 29')
  expect(lines.findIndex((line) => line.includes('cheap'))).toBeGreaterThan(
    lines.findIndex((line) => line.includes('dear.test')),
  )
})

test('a failure is shown with the first lines of its message', () => {
  const messages = [Array.from({ length: 30 }, (_, index) => `line ${index} ${'x'.repeat(900)}`).join('\n')]
  const lines = failureLines({ passed: 0, failed: 1, files: [], failures: [{ where: 'a.test.ts: adds', messages }] })
  expect(lines[0]).toBe('failed: a.test.ts: adds')
  expect(lines).toHaveLength(13)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(410)
})

test('the times of bash are added', () => {
  expect(secondsIn('0m0.010s 0m0.020s\n1m2.500s 0m3.000s\n')).toBeCloseTo(65.53)
})

test('the workflow runs every stage', () => {
  const top = join(import.meta.dirname, '../..')
  const workflow = readFileSync(join(top, '.github/workflows/ci.yml'), 'utf8')
  const run = new Set([...workflow.matchAll(/^ {10}- (.+)$/gmu)].flatMap(([, names = '']) => names.split(' ')))
  const stages = [
    ...readFileSync(join(top, 'scripts/gate.ts'), 'utf8').matchAll(
      /^ {2}'?([a-z-]+)'?: (?:npm|testCommand|suite)\(/gmu,
    ),
  ]
  expect([...run].toSorted()).toEqual(stages.map(([, name = '']) => name).toSorted())
})
