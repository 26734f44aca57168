// Writes docs/cli.md from the table of commands: npm run docs:cli
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes, type Command } from '../packages/server/src/cli/command.ts'
import { commands } from '../packages/server/src/cli/commands.ts'

export const page = join(import.meta.dirname, '../docs/cli.md')

/** Outside code, `<url>` would be an element of HTML. */
const prose = (text: string) => text.replaceAll('<', '&lt;')
const cell = (text: string) => text.replaceAll('|', '\\|')
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
const table = (head: readonly [string, string], rows: readonly (readonly [string, string])[]) =>
  [`| ${head.join(' | ')} |`, '|---|---|', ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`)].join('\n')

const callOf = (name: string, { operands = [] }: Command) =>
  ['tain', name, ...operands.map((operand) => operand.name)].join(' ')

const anchorOf = (name: string) => `tain-${name.replaceAll(' ', '-')}`

function sectionOf(name: string, row: Command): string {
  const { operands = [], options = [], examples = [] } = row
  const given = [
    ...operands.map((operand) => [`\`${operand.name}\``, prose(operand.what)] as const),
    ...options.map(({ flags, what }) => [`\`${flags}\``, prose(what)] as const),
  ]
  return [
    `## tain ${name}`,
    prose(sentence(row.summary)),
    ...(given.length === 0 ? [] : [table(['operand or option', 'meaning'], given)]),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``]),
  ].join('\n\n')
}

export function cliPage(rows: Readonly<Record<string, Command>> = commands): string {
  const entries = Object.entries(rows)
  return `${[
    '<!-- Written by "npm run docs:cli" from packages/server/src/cli/commands.ts. -->',
    '# Command line',
    `\`tain --help\` lists every command, and \`tain <command> --help\` describes one. [Settings](configuration.md) such as
\`--database-url\` are options of every command that connects to a database.`,
    `Standard output holds data alone, so that it can be piped or redirected. Everything else goes to standard error.
If the reader closes the pipe, as \`head\` does, the command ends silently with its own exit code.
Questions are asked only on a terminal; otherwise a missing value is an error that names the option. \`NO_COLOR=1\`
switches colours off.`,
    table(['exit code', 'meaning'], Object.entries(exitCodes)),
    table(
      ['command', 'purpose'],
      entries.map(([name, row]) => [`[\`${callOf(name, row)}\`](#${anchorOf(name)})`, prose(row.summary)]),
    ),
    ...entries.map(([name, row]) => sectionOf(name, row)),
  ].join('\n\n')}\n`
}

if (import.meta.main) writeFileSync(page, cliPage())
