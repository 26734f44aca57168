// Makes the changes that a newcomer would make, each in its own copy of the repository, with only the edits that "How to
// add" in docs/architecture.md lists: first the row, which shows what the compiler then demands, then the rest. Each
// finished change has to compile, pass the checks and work. `npm run verify newcomer -- setting` makes only one of them.
import { filesOf, type Change } from './newcomer/change.ts'
import { changes } from './newcomer/changes.ts'
import { check, compile, createCopy, edit, linesAdded, removeCopy, type Copy } from './newcomer/copy.ts'
import { differences, howToAdd } from './newcomer/how-to-add.ts'

interface Outcome {
  readonly change: Change
  readonly lines: number
  readonly named: readonly string[]
  readonly shown: string
  readonly faults: readonly string[]
}

async function make(change: Change): Promise<Outcome> {
  const copy = createCopy()
  try {
    return await makeIn(copy, change)
  } finally {
    removeCopy(copy)
  }
}

async function makeIn(copy: Copy, change: Change): Promise<Outcome> {
  const files = filesOf(change)
  console.log(`\n${change.what}: ${change.example}`)
  edit(copy, change.row)
  const missing = compile(copy)
  for (const [file, message] of missing) console.log(`  the compiler names ${file}: ${shortened(message)}`)
  for (const changed of change.rest) edit(copy, changed)
  for (const [file, message] of compile(copy)) throw new Error(`${file} does not compile: ${message}`)
  check(copy, files)
  const shown = await change.show(copy)
  console.log(`  shown: ${shown}`)
  const faults = differences(howToAdd(change.what), files, [...missing.keys()])
  for (const fault of faults) console.error(`  ${fault}`)
  return { change, lines: linesAdded(copy, files), named: [...missing.keys()].sort(), shown, faults }
}

const MOST_SHOWN = 80

const shortened = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

const short = (file: string) => file.replace('packages/contract/src/', 'contract/').replace('packages/server/src/', '')

const listed = (files: readonly string[]) =>
  files.length === 0 ? 'none' : `${files.length}: ${files.map((file) => `\`${short(file)}\``).join(', ')}`

function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ change, lines, named, shown }) => [
    `${change.what}: ${change.example}`,
    listed(filesOf(change)),
    String(lines),
    listed(named),
    howToAdd(change.what).text,
    shown,
  ])
  const head = ['Change', 'Files touched', 'Lines added', 'Named by the compiler', '"How to add" says', 'Shown working']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

async function main(wanted: readonly string[]): Promise<void> {
  const outcomes: Outcome[] = []
  for (const change of changes)
    if (wanted.length === 0 || wanted.some((word) => change.what.includes(word))) outcomes.push(await make(change))
  console.log(`\n${table(outcomes)}`)
  const faults = outcomes.flatMap((outcome) => outcome.faults)
  console.log(`\n${outcomes.length} changes, ${faults.length} differences`)
  process.exitCode = faults.length === 0 && outcomes.length > 0 ? 0 : 1
}

await main(process.argv.slice(2))
