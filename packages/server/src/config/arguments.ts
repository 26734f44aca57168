import { nearest } from '../lib/nearest.ts'

/** An option that matches no setting, or lacks its value. */
export class UnknownOption extends Error {}

interface Described {
  readonly name: string
  readonly fallback?: unknown
  readonly what: string
}

const OPTION_WIDTH = 34

/** One line per setting: its option, its purpose and its default. */
export const optionsHelp = (settings: readonly Described[]): string =>
  settings
    .map(({ name, fallback, what }) => {
      const shown = typeof fallback === 'string' || typeof fallback === 'number' ? ` (${fallback})` : ''
      return `  ${optionOf(name).padEnd(OPTION_WIDTH)} ${what}${shown}`
    })
    .join('\n')

const optionOf = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`

function unknownOption(option: string, known: Iterable<string>): string {
  const meant = nearest(option, known)
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  return `There is no option "${option}".${hint} "tain start --help" lists all options.`
}

/** Settings from the command line (`--database-url sqlite:./my.db`, `--port=8055`); they override the environment. */
export function settingsIn(args: readonly string[], names: readonly string[]): Record<string, string> {
  const byOption = new Map(names.map((name) => [optionOf(name), name]))
  const given: Record<string, string> = {}
  const rest = [...args]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const cut = word.indexOf('=')
    const option = cut === -1 ? word : word.slice(0, cut)
    const name = byOption.get(option)
    if (name === undefined) throw new UnknownOption(unknownOption(option, byOption.keys()))
    const value = cut === -1 ? rest.shift() : word.slice(cut + 1)
    if (value === undefined || value === '') throw new UnknownOption(`The option "${option}" needs a value.`)
    given[name] = value
  }
  return given
}
