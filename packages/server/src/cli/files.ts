import type { Files } from '../files/files.ts'
import { checkFiles } from '../files/check.ts'
import { migrateFiles } from '../files/migrate.ts'
import { orphans, sweep } from '../files/sweep.ts'
import { removeExpired } from '../files/uploads/uploads.ts'
import { asDuration } from '../config/readers.ts'
import type { Config } from '../config.ts'
import { StartError } from '../schema/start-error.ts'
import { Usage, type ExitCode, type Invocation, type Run } from './command.ts'
import { withCore } from './with-core.ts'

type Work = (files: Files, invocation: Invocation, config: Config) => Promise<ExitCode>

const withFiles =
  (onlyLooks: boolean, work: Work): Run =>
  (invocation) =>
    withCore(invocation, { onlyLooks }, ({ parts: { files }, context: { config } }) => {
      if (files === null) throw new StartError('The service has no tables in this database, and so no files.')
      return work(files, invocation, config)
    })

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** The age of objects that may go: from the option, or as set. */
function ageIn({ options }: Invocation, fallback: number): number {
  const text = options['olderThan']
  if (typeof text !== 'string') return fallback
  try {
    return asDuration(text)
  } catch {
    throw new Usage('--older-than has to be a time such as 12h or 7d.')
  }
}

export const checkCommand: Run = withFiles(true, async (files, invocation, config) => {
  const { options, terminal } = invocation
  const total = await files.rows.count()
  const progress = terminal.progress('files checked', total)
  const counts = new Map<string, number>()
  const found = checkFiles({
    storages: files.storages,
    rows: files.rows,
    store: files.uploadStore,
    age: config.orphanAge,
    isDeep: options['quick'] !== true,
    onFile: progress.advance,
  })
  for await (const finding of found) {
    counts.set(finding.kind, (counts.get(finding.kind) ?? 0) + 1)
    terminal.print(options['json'] === true ? `${JSON.stringify(finding)}\n` : `${finding.subject}: ${finding.words}\n`)
  }
  progress.end()
  const orphaned = counts.get('orphan') ?? 0
  const wrong = [...counts.values()].reduce((sum, each) => sum + each, 0) - orphaned
  terminal.tell(
    `${count(total, 'file', 'files')} checked, ${wrong.toLocaleString('en')} wrong, ${count(orphaned, 'object', 'objects')} of no file.`,
  )
  if (orphaned > 0) terminal.tell('"tain files sweep" removes objects of no file.')
  return wrong > 0 ? 1 : 0
})

export const sweepCommand: Run = withFiles(false, async (files, invocation, config) => {
  const { storages, rows, uploadStore: store, uploadTarget: target } = files
  const { options, terminal } = invocation
  const sweeping = { storages, rows, store, age: ageIn(invocation, config.orphanAge) }
  if (options['dryRun'] === true) {
    let found = 0
    for await (const { storage, key, size } of orphans(sweeping)) {
      found += 1
      terminal.print(`${storage}: ${key} (${size} bytes)\n`)
    }
    terminal.tell(`${count(found, 'object', 'objects')} would be removed.`)
    return 0
  }
  const progress = terminal.progress('objects removed', null)
  const expired = await removeExpired({ storages, store, target })
  const removed = await sweep(sweeping, progress.advance)
  progress.end()
  if (expired > 0) terminal.tell(`${count(expired, 'upload', 'uploads')} that nobody continued removed.`)
  terminal.tell(`${count(removed, 'object', 'objects')} removed.`)
  return 0
})

export const migrateCommand: Run = withFiles(false, async ({ storages, rows, removals }, { options, terminal }) => {
  const place = (option: 'from' | 'to') => {
    const name = String(options[option] ?? '')
    const storage = storages.at(name)
    if (storage === undefined)
      throw new Usage(`--${option} has to be one of the storages in STORAGE_LOCATIONS: ${storages.names.join(', ')}.`)
    return { name, storage }
  }
  const [from, to] = [place('from'), place('to')]
  if (from.name === to.name) throw new Usage('--from and --to name the same storage.')
  const progress = terminal.progress('files moved', await rows.count(from.name))
  const { moved, skipped } = await migrateFiles({ rows, removals, from, to, onFile: progress.advance })
  progress.end()
  terminal.tell(`${count(moved, 'file', 'files')} moved from ${from.name} to ${to.name}.`)
  for (const id of skipped) terminal.tell(`${id} was left: its content is lost, or it changed meanwhile.`)
  return skipped.length > 0 ? 1 : 0
})
