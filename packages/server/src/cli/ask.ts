import type { Readable } from 'node:stream'
import { confirm, password, text } from '@clack/prompts'
import { Usage, type Invocation } from './command.ts'

type Asking = Pick<Invocation, 'terminal'>

// Questions go to standard error, because standard output holds data alone.
const output = process.stderr

function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === 'symbol') throw new Usage('Cancelled. Nothing has been done.')
  return answer as Exclude<T, symbol>
}

export interface Question {
  readonly message: string
  /** The option that answers the question where nobody can be asked. */
  readonly option: string
  readonly suggestion?: string
  /** What is wrong with an answer; undefined: nothing. */
  readonly problem?: (answer: string) => string | undefined
}

export async function askText({ terminal }: Asking, question: Question): Promise<string> {
  const { message, option, suggestion, problem } = question
  if (!terminal.isInteractive) throw new Usage(`The option "${option}" is missing.`)
  const validate = (answer: string | undefined) => {
    const given = (answer ?? '') === '' ? (suggestion ?? '') : (answer ?? '')
    return given === '' ? 'Please answer.' : problem?.(given)
  }
  const shown = suggestion === undefined ? {} : { placeholder: suggestion, defaultValue: suggestion }
  return answered(await text({ message, validate, output, ...shown }))
}

export const askYes = async (message: string): Promise<boolean> => answered(await confirm({ message, output }))

/** The first line of standard input with `--password-stdin`, otherwise asked for twice; null: nobody can be asked. */
export async function readPassword({ options, terminal }: Invocation): Promise<string | null> {
  if (options['passwordStdin'] === true) {
    const given = await firstLine(terminal.input)
    if (given === '') throw new Usage('Standard input holds no password.')
    return given
  }
  if (!terminal.isInteractive) return null
  const first = answered(await password({ message: 'Password', output, validate: required }))
  const again = answered(await password({ message: 'The same password again', output }))
  if (first !== again) throw new Usage('The two passwords differ. Nothing has been done.')
  return first
}

const required = (answer: string | undefined) => ((answer ?? '') === '' ? 'Please type a password.' : undefined)

async function firstLine(input: Readable): Promise<string> {
  let given = ''
  for await (const chunk of input.setEncoding('utf8')) given += String(chunk)
  return given.split(/\r?\n/u, 1)[0] ?? ''
}
