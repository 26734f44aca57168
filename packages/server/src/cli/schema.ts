import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ServiceError, type SnapshotScope } from '@tain/contract'
import { isBody } from '../system/metadata.ts'
import { includedSections, type DiffRequest, type Snapshots } from '../system/snapshot/snapshots.ts'
import { readText, writeText, type Format } from '../system/snapshot/text.ts'

export const schemaUsage = `  tain schema snapshot [file]   write the structure to a file (.json or .yaml), or print it
        --include <list>        with roles, policies, permissions, settings
        --collections <list>    these collections alone
        --exclude <list>        all but these
        --yaml                  print YAML
  tain schema diff <file>       print what is between the database and a snapshot; 1 when they differ
  tain schema apply <file>      make the database what the file says: a snapshot, or what diff has printed
        --mirror                drop what the snapshot does not name
        --allow-data-loss       also tables and columns that hold data
        --dry-run               print the plan and change nothing
        --force                 take a file of another version or another kind of database
  tain schema names prune       give up the names that are kept for relations and tables that no longer exist
        --dry-run               list them and change nothing
`

export interface Terminal {
  readonly print: (text: string) => void
  readonly tell: (text: string) => void
}

const options = {
  include: { type: 'string' },
  collections: { type: 'string' },
  exclude: { type: 'string' },
  yaml: { type: 'boolean', default: false },
  mirror: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  'allow-data-loss': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parse>['values']

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true, strict: true })

const listIn = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

function scopeIn({ collections, exclude }: Values): SnapshotScope | null {
  if (collections !== undefined && exclude !== undefined)
    throw new Usage('--collections and --exclude exclude each other')
  if (collections !== undefined) return { include: listIn(collections) }
  return exclude === undefined ? null : { exclude: listIn(exclude) }
}

/** The command line is invalid; nothing has been done. */
export class Usage extends Error {}

const formatOf = (file: string): Format => (/\.ya?ml$/iu.test(file) ? 'yaml' : 'json')

const fileIn = async (file: string | undefined): Promise<unknown> => {
  if (file === undefined) throw new Usage('The command needs a file')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Usage(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  return readText(text, formatOf(file))
}

const requestOf = (values: Values): DiffRequest => ({
  mode: values.mirror ? 'mirror' : 'merge',
  force: values.force,
  scope: scopeIn(values),
})

async function snapshot(file: string | undefined, values: Values, snapshots: Snapshots, terminal: Terminal) {
  const found = await snapshots.snapshot({ include: includedSections(listIn(values.include)), scope: scopeIn(values) })
  if (file === undefined) terminal.print(writeText(found, values.yaml ? 'yaml' : 'json'))
  else {
    await writeFile(file, writeText(found, formatOf(file)))
    terminal.tell(`${found.collections.length} collections, ${found.fields.length} fields → ${file}`)
  }
  return 0
}

async function diff(file: string | undefined, values: Values, snapshots: Snapshots, terminal: Terminal) {
  const found = await snapshots.diff(await fileIn(file), requestOf(values))
  if (found === null) {
    terminal.tell('Nothing differs.')
    return 0
  }
  terminal.print(writeText(found, values.yaml ? 'yaml' : 'json'))
  return 1
}

/** A snapshot is compared first; the output of `diff` applies only to the schema that it was made for. */
async function apply(file: string | undefined, values: Values, snapshots: Snapshots, terminal: Terminal) {
  const given = await fileIn(file)
  const isDiff = isBody(given) && 'diff' in given
  const body: unknown = isDiff ? given : await snapshots.diff(given, requestOf(values))
  if (body === null) {
    terminal.tell('Nothing to do.')
    return 0
  }
  const asked = { mayLose: values['allow-data-loss'] }
  if (values['dry-run']) {
    const plan = await snapshots.preview(body, asked)
    terminal.print(withFlags(writeText(plan, values.yaml ? 'yaml' : 'json')))
    return plan.blocks.length === 0 ? 0 : 1
  }
  await snapshots.apply(body, asked)
  terminal.tell('Done.')
  return 0
}

async function names(_: string | undefined, values: Values, snapshots: Snapshots, terminal: Terminal) {
  const isDryRun = values['dry-run']
  const found = await snapshots.pruneNames(isDryRun)
  for (const { kind, collection, name, relation } of found)
    terminal.print(kind === 'type' ? `type ${name} of ${collection}\n` : `field ${collection}.${name} ${relation}\n`)
  terminal.tell(`${found.length} names ${isDryRun ? 'would be given up' : 'given up'}.`)
  return 0
}

/** API parameters are flags on the command line. */
const withFlags = (message: string): string =>
  message.replaceAll('allow_data_loss', '--allow-data-loss').replaceAll('pass force', 'pass --force')

const commands: Readonly<Record<string, typeof snapshot>> = { snapshot, diff, apply, names }

/** Runs `tain schema …` and returns the exit code. */
export async function runSchemaCommand(
  args: readonly string[],
  snapshots: Snapshots,
  terminal: Terminal,
): Promise<number> {
  const { command, file, values } = schemaArguments(args)
  try {
    return await command(file, values, snapshots, terminal)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    terminal.tell(withFlags(error.message))
    return 2
  }
}

/** Checks the command line before connecting to the database. */
export function schemaArguments(args: readonly string[]) {
  const [name = '', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new Usage(`There is no command "schema ${name}"`)
  try {
    const { values, positionals } = parse(rest)
    if (positionals.length > 1) throw new Usage('The command takes one file')
    if (command === names && positionals[0] !== 'prune') throw new Usage('The command is "schema names prune"')
    const onlyLooks = (command !== apply && command !== names) || values['dry-run']
    return { command, file: positionals[0], values, onlyLooks }
  } catch (error) {
    throw error instanceof Usage ? error : new Usage(error instanceof Error ? error.message : String(error))
  }
}
