// npm run verify types [-- --collections 300 --queries 200]
// How long the compiler takes for generated types and typed queries.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { generateTypes } from '../../packages/server/src/types/generate.ts'
import { compile, errorsIn, instantiationsIn } from '../sdk/types/compile.ts'
import { largeDescription } from '../types/large-description.ts'
import type { Figure } from './service.ts'

interface TypesOptions {
  readonly collections: number
  readonly queries: number
  /** Seconds. */
  readonly bound: number
}

const query = (index: number, collections: number) => {
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

const programOf = ({ collections, queries }: TypesOptions) => `import { createClient } from '@tain/sdk'
import type { Schema } from './schema.ts'
const tain = createClient<Schema>({ url: 'http://localhost' })
${Array.from({ length: queries }, (_, index) => query(index, collections)).join('')}`

export function measureTypes(options: TypesOptions): readonly Figure[] {
  const schema = generateTypes(largeDescription(options.collections), 'the administrator')
  const began = performance.now()
  const printed = compile({ 'schema.ts': schema, 'program.ts': programOf(options) })
  const seconds = (performance.now() - began) / 1000
  for (const error of errorsIn(printed).slice(0, 10)) console.log(error)
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  console.log(`TypeScript ${spawnSync(process.execPath, [compiler, '--version'], { encoding: 'utf8' }).stdout.trim()}`)
  return [
    { what: 'generated lines', value: schema.split('\n').length, unit: '' },
    { what: 'time of the compiler', value: seconds, unit: 's', bound: { atMost: options.bound } },
    { what: 'instantiations', value: instantiationsIn(printed), unit: '' },
    { what: 'errors', value: errorsIn(printed).length, unit: '', bound: { atMost: 0 } },
  ]
}
