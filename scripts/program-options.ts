// Options of a program on a command line: `--cases 100`, `--dialect=sqlite`, `--plain`.
import { parseArgs } from 'node:util'
import { dashed, type Options, type OptionValue, type Program } from '../test/programs/program.ts'

const camelCase = (name: string) => name.replaceAll(/-[a-z]/gu, (letter) => letter.slice(1).toUpperCase())

/** The options of a run: those of the full size, except where the command line names others. */
export function optionsFrom(args: readonly string[], { options, dialects }: Program): Options {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, value]) => [
        dashed(name),
        { type: typeof value === 'boolean' ? 'boolean' : 'string' },
      ]),
    ),
  })
  const given = Object.entries(values).map(([dashedName, text]): readonly [string, OptionValue] => {
    const name = camelCase(dashedName)
    return [name, typeof text === 'string' ? valueOf(dashedName, text, options[name]) : (text ?? null)]
  })
  const { dialect } = Object.fromEntries(given)
  if (dialect !== undefined && !dialects?.some((each) => each === dialect))
    throw new Error(`--dialect has to be one of ${dialects?.join(', ') ?? 'none'}`)
  return { ...options, ...Object.fromEntries(given) }
}

function valueOf(name: string, text: string, initial: OptionValue | undefined): OptionValue {
  const number = Number(text)
  const isNumber = text.trim() !== '' && !Number.isNaN(number)
  if (typeof initial === 'number' && !isNumber) throw new Error(`--${name} has to be a number`)
  return typeof initial !== 'string' && isNumber ? number : text
}
