// npm run docs:night [-- results.json ...]: adds what nights wrote to test/night.json and makes docs/night.md from it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newestOf, pageOf, type NightResult } from './night/results.ts'

const top = join(import.meta.dirname, '..')
const kept = join(top, 'test/night.json')

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as readonly NightResult[]
const results = newestOf([kept, ...process.argv.slice(2)].flatMap(read))
writeFileSync(kept, `${JSON.stringify(results, null, 2)}\n`)
writeFileSync(join(top, 'docs/night.md'), pageOf(results))
console.log(
  `${results.length} programs, ${results.filter(({ isOk }) => !isOk).length} of them failed in their newest run`,
)
