import { Command as Program, CommanderError, Option } from 'commander'
import { optionName, optionsHelp } from '../config/arguments.ts'
import { loadEnvironmentFile, settings } from '../config.ts'
import { databaseUrlIn } from '../config/database-url.ts'
import { nearest } from '../lib/nearest.ts'
import { version } from '../version.ts'
import { noProbes, type Probes } from '../app/probes.ts'
import { Usage, type Command, type ExitCode, type Invocation } from './command.ts'
import { commands } from './commands.ts'
import { report } from './report.ts'
import type { Terminal } from './terminal.ts'

const settingNames = Object.values(settings).map(({ name }) => name)

/** Runs the named command; null if it goes on running. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  probes: Probes = noProbes,
): Promise<ExitCode | null> {
  const outcome: { code: ExitCode | null } = { code: 0 }
  const program = createProgram({ terminal, probes }, outcome)
  try {
    await program.parseAsync(completed(words), { from: 'user' })
    return outcome.code
  } catch (error) {
    if (isClosedPipe(error)) return 0
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : refuse(error, completed(words), terminal)
    report(error, terminal)
    return 2
  }
}

/** The reader of a stream of data has seen enough, as `head` has. */
const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE' && 'syscall' in error && error.syscall === 'write'

/** No word means `start`, and the URL of a database means `try`. */
function completed(words: readonly string[]): string[] {
  const [first] = words
  if (first === undefined) return ['start']
  return databaseUrlIn(first) === null ? [...words] : ['try', ...words]
}

type Surroundings = Pick<Invocation, 'terminal' | 'probes'>

function createProgram(around: Surroundings, outcome: { code: ExitCode | null }): Program {
  const program = new Program('tain')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'describe a command')
    .helpCommand('help [command]', 'describe a command')
    .configureOutput({ writeOut: around.terminal.print, writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: false })
    .exitOverride()
  for (const [name, row] of Object.entries(commands)) addCommand(program, name, row, around, outcome)
  program.helpInformation = () => overview(Object.entries(commands))
  return program
}

/** One line per command, with the commands of groups by their whole names. */
function overview(rows: readonly (readonly [string, Command])[]): string {
  const calls = rows.map(([name, { operands = [] }]) =>
    ['tain', name, ...operands.map((operand) => operand.name)].join(' '),
  )
  const width = Math.max(...calls.map((call) => call.length))
  const lines = rows.map(([, { summary }], index) => `  ${(calls[index] ?? '').padEnd(width)}  ${summary}`)
  return `tain ${version}: REST and GraphQL for the SQL database you already have

${lines.join('\n')}

"tain <command> --help" describes a command, "tain --version" prints the version.
`
}

function addCommand(
  program: Program,
  name: string,
  row: Command,
  around: Surroundings,
  outcome: { code: ExitCode | null },
): void {
  const words = name.split(' ')
  const parent = words.slice(0, -1).reduce((group, word) => groupOf(group, word), program)
  const command = parent
    .command(words.at(-1) ?? name)
    .summary(row.summary)
    .description(sentence(row.summary))
  for (const { name: operand, what } of row.operands ?? []) command.argument(operand, what)
  for (const { flags, what } of row.options ?? []) command.option(flags, what)
  // Only the command that is called gets the options of all settings, so that help is quick.
  if (row.settings === 'all')
    parent.hook('preSubcommand', (_, called) => {
      if (called === command) addSettings(command)
    })
  const help = [
    ...(row.examples === undefined ? [] : [`\nExamples:\n${row.examples.map((example) => `  ${example}`).join('\n')}`]),
    ...(row.listsSettings === true ? [`\nSettings:\n${optionsHelp(Object.values(settings))}`] : []),
    ...(row.settings === 'all' && row.listsSettings !== true
      ? ['\nSettings such as --database-url are options as well: "tain start --help" lists them.']
      : []),
  ]
  if (help.length > 0) command.addHelpText('after', help.join('\n'))
  command.action(async () => {
    const given: Record<string, string | boolean | undefined> = command.opts()
    if (row.settings === 'all' && row.readsEnvironmentFile !== false) loadEnvironmentFile()
    const run = await row.load()
    outcome.code = await run({
      operands: command.processedArgs as (string | undefined)[],
      options: given,
      settings: row.settings === 'all' ? settingsIn(command) : {},
      ...around,
      commands,
    })
  })
}

function addSettings(command: Program): void {
  for (const setting of settingNames) command.addOption(new Option(`${optionName(setting)} <value>`).hideHelp())
}

function groupOf(parent: Program, word: string): Program {
  return parent.commands.find((command) => command.name() === word) ?? createGroup(parent, word)
}

function createGroup(parent: Program, word: string): Program {
  const group = parent.command(word)
  const names = Object.entries(commands).filter(([name]) => name.startsWith(`${word} `))
  if (parent.parent === null) group.helpInformation = () => overview(names)
  return group
}

const sentence = (summary: string) => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`

function settingsIn(command: Program): Record<string, string> {
  const given: Record<string, string> = {}
  for (const setting of settingNames) {
    const option = command.options.find(({ long }) => long === optionName(setting))
    const value: unknown = option === undefined ? undefined : command.getOptionValue(option.attributeName())
    if (value === '') throw new Usage(`The option "${optionName(setting)}" needs a value.`)
    if (typeof value === 'string') given[setting] = value
  }
  return given
}

/** What commander found wrong, in one line, with the nearest name that exists. */
function refuse({ code, message }: CommanderError, words: readonly string[], terminal: Terminal): ExitCode {
  const quoted = /'([^']*)'/u.exec(message)?.[1] ?? ''
  const path = words.filter((word) => !word.startsWith('-'))
  const name = Object.keys(commands).find((known) => path.join(' ').startsWith(known))
  terminal.tell(refusal(code, quoted, name, path, message))
  return 2
}

function refusal(
  code: string,
  quoted: string,
  name: string | undefined,
  path: readonly string[],
  message: string,
): string {
  const help = `"tain${name === undefined ? '' : ` ${name}`} --help"`
  if (name === undefined) return unknownCommand(path)
  if (code === 'commander.unknownOption') {
    const row: Command = commands[name as keyof typeof commands]
    const own = (row.options ?? []).map(({ flags }) => flags.split(' ')[0] ?? '')
    return `There is no option "${quoted}".${hint(quoted, [...own, ...settingNames.map(optionName)])} ${help} lists all options.`
  }
  if (code === 'commander.optionMissingArgument')
    return `The option "${quoted.split(' ')[0]}" needs a value. ${help} lists all options.`
  if (code === 'commander.missingArgument') return `The command needs <${quoted}>. ${help} describes it.`
  return `${sentence(message.replace(/^error: |\.$/gu, ''))} ${help} describes the command.`
}

function unknownCommand(path: readonly string[]): string {
  const [word = '', ...rest] = path
  const names = Object.keys(commands)
  const group = names.filter((name) => name.startsWith(`${word} `))
  if (group.length > 0) {
    const second = rest[0]
    const known = group.map((name) => name.slice(word.length + 1))
    if (second === undefined)
      return `"tain ${word}" needs one of: ${known.join(', ')}. "tain ${word} --help" describes them.`
    return `There is no command "${word} ${second}".${hint(second, known)} "tain ${word} --help" lists them.`
  }
  const first = new Set(names.map((name) => name.split(' ')[0] ?? name))
  return `There is no command "${word}".${hint(word, first)} "tain --help" lists all commands.`
}

function hint(word: string, known: Iterable<string>): string {
  const meant = nearest(word, known)
  return meant === undefined ? '' : ` Did you mean "${meant}"?`
}
