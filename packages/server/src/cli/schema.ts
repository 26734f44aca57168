import { writeFile } from 'node:fs/promises'
import { ServiceError, type SchemaDiff, type SnapshotScope } from '@tain/contract'
import { isBody } from '../system/metadata.ts'
import { changeLine, namesOfRows, snapshotChanges, type SnapshotChange } from '../system/snapshot/change-lines.ts'
import { includedSections, type DiffRequest, type Snapshots } from '../system/snapshot/snapshots.ts'
import { writeText, type Format } from '../system/snapshot/text.ts'
import { Usage, type ExitCode, type Invocation, type Run } from './command.ts'
import { formatOf, snapshotIn } from './snapshot-file.ts'
import { withCore } from './with-core.ts'

type Options = Invocation['options']
type Option = Options[string]

const listIn = (text: Option): readonly string[] =>
  (typeof text === 'string' ? text : '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

function scopeIn({ collections, exclude }: Options): SnapshotScope | null {
  if (collections !== undefined && exclude !== undefined)
    throw new Usage('--collections and --exclude exclude each other')
  if (collections !== undefined) return { include: listIn(collections) }
  return exclude === undefined ? null : { exclude: listIn(exclude) }
}

const requestOf = (options: Options): DiffRequest => ({
  mode: options['mirror'] === true ? 'mirror' : 'merge',
  force: options['force'] === true,
  scope: scopeIn(options),
})

const formatAsked = (options: Options): Format => (options['yaml'] === true ? 'yaml' : 'json')

/** Runs a command on the structure. What the service refuses is told in the words of the command line. */
const onSnapshots =
  (
    onlyLooks: (options: Options) => boolean,
    work: (snapshots: Snapshots, invocation: Invocation, file: string | undefined) => Promise<ExitCode>,
  ): Run =>
  async (invocation) => {
    try {
      return await withCore(invocation, { onlyLooks: onlyLooks(invocation.options) }, ({ snapshots }) =>
        work(snapshots, invocation, invocation.operands[0]),
      )
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      invocation.terminal.tell(withFlags(error.message))
      return 2
    }
  }

const isDryRun = (options: Options) => options['dryRun'] === true

export const snapshot = onSnapshots(
  () => true,
  async (snapshots, { options, terminal }, file) => {
    const sections = includedSections(listIn(options['include']))
    const found = await snapshots.snapshot({ include: sections, scope: scopeIn(options) })
    if (file === undefined) terminal.print(writeText(found, formatAsked(options)))
    else {
      await writeFile(file, writeText(found, formatOf(file)))
      terminal.tell(`${found.collections.length} collections, ${found.fields.length} fields → ${file}`)
    }
    return 0
  },
)

export const diff = onSnapshots(
  () => true,
  async (snapshots, { options, terminal }, file = '') => {
    const found = await snapshots.diff(await snapshotIn(file), requestOf(options))
    if (found === null) {
      terminal.tell('Nothing differs.')
      return 0
    }
    const isFile = options['json'] === true || options['yaml'] === true
    const lines = async () => (await changesOf(found, snapshots)).map((change) => `${changeLine(change)}\n`).join('')
    terminal.print(isFile ? writeText(found, formatAsked(options)) : await lines())
    return 1
  },
)

/** Only rows of permissions have keys in place of names. */
async function changesOf({ diff: found }: SchemaDiff, snapshots: Snapshots): Promise<readonly SnapshotChange[]> {
  const hasRows = [found.policies, found.roles, found.access, found.permissions].some((rows = []) => rows.length > 0)
  const { roles = [], policies = [] } = hasRows
    ? await snapshots.snapshot({ include: ['roles', 'policies'], scope: null })
    : {}
  return snapshotChanges(found, namesOfRows([...roles, ...policies], found))
}

/** A snapshot is compared first; the output of `diff` applies only to the schema that it was made for. */
export const apply = onSnapshots(isDryRun, async (snapshots, { options, terminal }, file = '') => {
  const given = await snapshotIn(file)
  const isDiff = isBody(given) && 'diff' in given
  const body = isDiff ? given : await snapshots.diff(given, requestOf(options))
  if (body === null) {
    terminal.tell('Nothing to do.')
    return 0
  }
  const asked = { mayLose: options['allowDataLoss'] === true }
  if (isDryRun(options)) {
    // It refuses a body that is no diff.
    const plan = await snapshots.preview(body, asked)
    const changes = await changesOf(body as unknown as SchemaDiff, snapshots)
    terminal.print(withFlags(writeText({ changes, ...plan }, formatAsked(options))))
    return plan.blocks.length === 0 ? 0 : 1
  }
  await snapshots.apply(body, asked)
  terminal.tell('Done.')
  return 0
})

export const pruneNames = onSnapshots(isDryRun, async (snapshots, { options, terminal }) => {
  const found = await snapshots.pruneNames(isDryRun(options))
  for (const { kind, collection, name, relation } of found)
    terminal.print(kind === 'type' ? `type ${name} of ${collection}\n` : `field ${collection}.${name} ${relation}\n`)
  terminal.tell(`${found.length} names ${isDryRun(options) ? 'would be given up' : 'given up'}.`)
  return 0
})

/** API parameters are flags on the command line. */
const withFlags = (message: string): string =>
  message
    .replaceAll('allow_data_loss', '--allow-data-loss')
    .replaceAll('pass force', 'pass --force')
    .replaceAll('excludeCollections', '--exclude')
