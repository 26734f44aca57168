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
      return `  ${optionName(name).padEnd(OPTION_WIDTH)} ${what}${shown}`
    })
    .join('\n')

/** `DB_POOL_MAX` is the option `--db-pool-max`. */
export const optionName = (name: string): string => `--${name.toLowerCase().replaceAll('_', '-')}`
