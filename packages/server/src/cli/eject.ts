import { createInterface } from 'node:readline/promises'
import { withDatabase } from '../app/with-database.ts'
import { planRemoval, remove, type Removal, type RemovalOutcome } from '../schema/removal.ts'
import { commandConfig } from './command-config.ts'
import { Usage, type ExitCode, type Invocation, type Run } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Prints the SQL that removes the service's own objects, and runs it with --run. */
export const eject: Run = async ({ options, settings, terminal }) => {
  const config = commandConfig(settings)
  if (options['run'] === true && options['yes'] !== true && !terminal.isInteractive)
    throw new Usage('Nobody can be asked here: pass --yes to run the removal without a question.')
  return withDatabase(config, 'tain eject', async (database, systemSchema) => {
    const plan = await planRemoval(database, systemSchema)
    const { logical } = database.outside
    const log = { slot: config.eventSlot, systemSchema }
    const leftovers = (await logical?.leftovers(log)) ?? []
    if (plan.parts.length === 0 && leftovers.length === 0) {
      terminal.tell('There is nothing to remove: this database has no object of the service.')
      return 0
    }
    if (plan.parts.length > 0) terminal.print(plan.script)
    if (leftovers.length > 0)
      terminal.print(['-- What the server keeps for writes of other programs.', ...leftovers, ''].join('\n'))
    describe(plan, systemSchema, terminal)
    if (options['run'] !== true) return plan.dependents.length > 0 || plan.hasUnfinishedChange ? 1 : 0
    if (isRefused(plan, options, terminal)) return 2
    if (options['yes'] !== true && !(await isConfirmed(nameIn(config.databaseUrl)))) {
      terminal.tell('That is another name. Nothing was removed.')
      return 2
    }
    const outcome = await remove(database, systemSchema, plan)
    if (outcome.kind === 'done' && leftovers.length > 0) await logical?.remove(log)
    return tellOutcome(outcome, plan, terminal)
  })
}

function tellOutcome(outcome: RemovalOutcome, { isTransaction }: Removal, terminal: Terminal): ExitCode {
  const left = isTransaction ? 'Nothing was removed.' : 'Running this again removes what is left.'
  if (outcome.kind === 'refused') terminal.tell(`The database refused: ${outcome.reason}. ${left}`)
  else if (outcome.kind === 'changed')
    terminal.tell('The database changed meanwhile. Nothing was removed; run this again.')
  else terminal.tell('Removed. Your own tables and their rows are unchanged.')
  return outcome.kind === 'done' ? 0 : 2
}

/** The last part of the address: the name of the database, or of its file. */
const nameIn = (url: string): string => decodeURIComponent(url.split('?')[0]?.split('/').at(-1) ?? '')

function describe(
  { others, dependents, keepsSchema, hasUnfinishedChange }: Removal,
  schema: string,
  terminal: Terminal,
) {
  if (others.length > 0) terminal.tell(`Not created by the service, and left: ${others.join('; ')}.`)
  if (keepsSchema)
    terminal.tell(
      `The schema "${schema}" stays: ${others.length > 0 ? 'it is not empty' : 'this role does not own it, or it is the default schema'}.`,
    )
  if (dependents.length > 0)
    terminal.tell(
      `These use tables of the service and would break. Drop or change them first: ${dependents.join('; ')}.`,
    )
  if (hasUnfinishedChange)
    terminal.tell('A schema change was interrupted. Start the service once: it undoes the change. Then run this again.')
}

function isRefused(plan: Removal, options: Invocation['options'], terminal: Terminal): boolean {
  const isRunning = (plan.services ?? 0) > 0 && options['force'] !== true
  if (isRunning)
    terminal.tell(
      `A service is running on this database (${plan.services} connections). Stop it first, or pass --force.`,
    )
  return isRunning || plan.dependents.length > 0 || plan.hasUnfinishedChange
}

async function isConfirmed(name: string): Promise<boolean> {
  const questions = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (
      (await questions.question(`This cannot be undone. Type the name of the database (${name}) to go on: `)) === name
    )
  } finally {
    questions.close()
  }
}
