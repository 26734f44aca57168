/** An option that no setting goes by, or one without its value. */
export class UnknownOption extends Error {}

const optionOf = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`

/** Settings given with the command, as `--database-url sqlite:./my.db` or `--port=8055`; they count before the environment. */
export function settingsIn(args: readonly string[], names: readonly string[]): Record<string, string> {
  const byOption = new Map(names.map((name) => [optionOf(name), name]))
  const given: Record<string, string> = {}
  const rest = [...args]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const cut = word.indexOf('=')
    const option = cut === -1 ? word : word.slice(0, cut)
    const name = byOption.get(option)
    if (name === undefined) throw new UnknownOption(`There is no option "${option}".`)
    const value = cut === -1 ? rest.shift() : word.slice(cut + 1)
    if (value === undefined || value === '') throw new UnknownOption(`The option "${option}" needs a value.`)
    given[name] = value
  }
  return given
}
