import type { Probes } from '../app/probes.ts'
import type { Terminal } from './terminal.ts'

/** What a program that calls `tain` can tell from the exit code. */
export const exitCodes = {
  0: 'done',
  1: 'the service did not start, or the answer is no: a difference, a check that failed, a plan that is blocked',
  2: 'not done: an invalid command line or setting, a database that does not answer, or a refusal',
} as const

export type ExitCode = keyof typeof exitCodes

/** The command line is invalid; nothing has been done. */
export class Usage extends Error {}

export interface Invocation {
  readonly operands: readonly (string | undefined)[]
  /** Options by their name without dashes, in camel case. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  /** Settings given as options (`--database-url`), by their name in the environment. */
  readonly settings: Readonly<Record<string, string>>
  readonly terminal: Terminal
  readonly probes: Probes
  /** The table of commands, for commands about commands. */
  readonly commands: Readonly<Record<string, Command>>
}

export type Run = (invocation: Invocation) => Promise<ExitCode | null>

/** One row of the table of commands. Its code is loaded only when it runs, so that help is quick. */
export interface Command {
  readonly summary: string
  /** `<name>` is required, `[name]` is not. */
  readonly operands?: readonly { readonly name: string; readonly what: string }[]
  readonly options?: readonly { readonly flags: string; readonly what: string }[]
  /** Settings that may be given as options: all of them, or none. Most commands read DATABASE_URL. */
  readonly settings: 'all' | 'none'
  /** False: `.env` is left to a process that the command starts. */
  readonly readsEnvironmentFile?: false
  /** Lists the settings in its help as well. */
  readonly listsSettings?: boolean
  readonly examples?: readonly string[]
  readonly load: () => Promise<Run>
}
