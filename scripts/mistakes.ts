// npm run mistakes [-- --part server|app --count 200 --seed 1]: lists seeded mistakes, one change of a line each.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parts, pickMistakes, type Part } from '../test/mistakes/mistakes.ts'

const top = join(import.meta.dirname, '..')

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'server' },
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})
const isPart = (name: string): name is Part => Object.hasOwn(parts, name)
if (!isPart(values.part)) throw new Error(`--part has to be one of ${Object.keys(parts).join(', ')}`)
const picked = pickMistakes(values.part, top, Number(values.count), Number(values.seed))
for (const [at, { file, line, kind, was, is }] of picked.entries())
  console.log(`${at + 1}. ${file}:${line}: ${kind}\n   - ${was}\n   + ${is}`)
