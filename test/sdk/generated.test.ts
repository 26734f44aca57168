// The tests of this folder compile with the types that "tain types generate" writes for their database, too.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAM } from '../lib/program.ts'
import { compile, errorsIn, top } from './types/compile.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.end())

const source = (name: string) =>
  readFileSync(join(import.meta.dirname, name), 'utf8').replaceAll("from '../", `from '${top}/test/`)

const generate = () =>
  execFileSync(process.execPath, [PROGRAM, 'types', 'generate'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATABASE_URL: world.database.url },
  })

test('programs that are answered by the service compile with its types', () => {
  const names = ['world.ts', 'reads.test.ts', 'writes.test.ts', 'sessions.test.ts']
  const schema = generate()
  expect(schema).toContain('export interface OrderLines {')
  const files = { 'shop-schema.ts': schema, ...Object.fromEntries(names.map((name) => [name, source(name)])) }
  expect(errorsIn(compile(files))).toEqual([])
})
