import { nearest } from '../lib/nearest.ts'

/** One row per command: its summary line, its detailed help and its action. */
export interface Command {
  readonly summary: string
  readonly help?: () => string
  readonly run: (args: readonly string[]) => Promise<void> | void
}

export type Commands = Readonly<Record<string, Command>>

export interface Printer {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

const isHelp = (word: string | undefined) => word === '--help' || word === '-h'

/** Runs the named command and returns the exit code; null if the command sets it itself. */
export async function runCommandLine(
  [word, ...rest]: readonly string[],
  commands: Commands,
  usage: string,
  { out, err }: Printer,
): Promise<number | null> {
  if (isHelp(word) || word === 'help') {
    const topic = rest[0] === undefined || !Object.hasOwn(commands, rest[0]) ? undefined : commands[rest[0]]
    out(topic === undefined ? usage : helpOf(topic))
    return 0
  }
  const name = word === '--version' || word === '-v' ? 'version' : (word ?? 'start')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const meant = nearest(name, Object.keys(commands))
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
    err(`There is no command "${name}".${hint} "tain --help" lists all commands.`)
    return 2
  }
  if (rest.some(isHelp)) {
    out(helpOf(command))
    return 0
  }
  await command.run(rest)
  return null
}

const helpOf = ({ summary, help }: Command): string => (help === undefined ? summary : `${summary}\n${help()}`)
