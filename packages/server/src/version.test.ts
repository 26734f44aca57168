import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { version } from './version.ts'

const packages = ['', 'packages/contract/', 'packages/server/', 'test/']

test.each(packages)('%spackage.json carries the version of the program', (folder) => {
  const text = readFileSync(new URL(`../../../${folder}package.json`, import.meta.url), 'utf8')
  const found = JSON.parse(text) as { version: string; dependencies?: Record<string, string> }
  expect(found.version).toBe(version)
  for (const own of ['@tain/contract', 'tain']) expect(found.dependencies?.[own] ?? version).toBe(version)
})
