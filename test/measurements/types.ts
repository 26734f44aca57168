// npm run verify types [-- --collections 300 --queries 200]
// How long the compiler takes for generated types and typed queries.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateTypes } from '../../packages/server/src/types/generate.ts'
import { compile, errorsIn, instantiationsIn } from '../sdk/types/compile.ts'
import { largeDescription } from '../types/large-description.ts'

const { values } = parseArgs({
  options: {
    collections: { type: 'string', default: '300' },
    queries: { type: 'string', default: '200' },
    /** Seconds. */
    bound: { type: 'string', default: '5' },
  },
})
const [collections, queries, bound] = [values.collections, values.queries, values.bound].map(Number) as [
  number,
  number,
  number,
]

const query = (index: number) => {
  const name = `c${(index * 3) % collections}`
  return `
export const rows${index} = await tain.items('${name}').list({
  fields: ['*', 'a.b.name', 'list.id', 'list.b.text3', 'year(made)', 'count(others)'],
  filter: { status: { _in: ['open', 'paid'] }, a: { name: { _contains: 'x' } }, list: { _none: { id: { _gt: 3 } } }, 'year(made)': { _eq: 2026 } },
  sort: ['-made', 'a.name'],
})
export const name${index}: string | undefined = rows${index}[0]?.a?.b?.name
export const made${index} = await tain.items('${name}').create({ name: 'x', a: { name: 'y' }, list: [{ name: 'z' }, 4] })
`
}

const program = `import { createClient } from '@tain/sdk'
import type { Schema } from './schema.ts'
const tain = createClient<Schema>({ url: 'http://localhost' })
${Array.from({ length: queries }, (_, index) => query(index)).join('')}`

const files = { 'schema.ts': generateTypes(largeDescription(collections), 'the administrator'), 'program.ts': program }
const began = performance.now()
const printed = compile(files)
const seconds = (performance.now() - began) / 1000
for (const error of errorsIn(printed).slice(0, 10)) console.log(error)
const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
const version = spawnSync(process.execPath, [compiler, '--version'], { encoding: 'utf8' }).stdout.trim()
console.log(
  `TypeScript ${version}: ${collections} collections, ${queries} reads and ${queries} creates, ${files['schema.ts'].split('\n').length} generated lines: ${seconds.toFixed(1)} s, ${instantiationsIn(printed)} instantiations, ${errorsIn(printed).length} errors`,
)
if (seconds > bound || errorsIn(printed).length > 0) process.exitCode = 1
