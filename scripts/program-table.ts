import { dashed, rings, type Program } from '../test/programs/program.ts'

type Table = Readonly<Record<string, Readonly<Record<string, Program>>>>

/** One line for each program and one below it for what it proves, by part of the night. */
export function printTable(table: Table): string {
  const lines = Object.entries(table).flatMap(([part, programs]) => [
    '',
    part.toUpperCase(),
    ...Object.entries(programs).flatMap(([name, program]) => describe(name, program)),
  ])
  return [
    'npm run verify <name> [-- options]                  runs one program',
    'npm run verify -- --ring <ring> [--part <part>]     runs all programs of a ring, or of a part of it',
    ...lines,
  ].join('\n')
}

function describe(name: string, program: Program): readonly string[] {
  const { proves, needs = [], dialects = [], options, command, alone = false } = program
  const facts = [
    rings.filter((ring) => program[ring] !== undefined).join(' and ') || 'on request',
    ...(dialects.length > 0 ? [`on ${dialects.join(', ')}`] : []),
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    ...(alone ? ['runs alone'] : []),
    ...costOf(program),
  ]
  const how = command ?? optionsOf(options)
  return [
    `  ${name.padEnd(26)}${proves}`,
    `${' '.repeat(28)}${facts.join('; ')}`,
    ...(how === '' ? [] : [`${' '.repeat(28)}${how}`]),
  ]
}

const costOf = ({ cost = {} }: Program): readonly string[] =>
  rings.flatMap((ring) => (cost[ring] === undefined ? [] : [`${cost[ring]} CPU s in the ${ring}`]))

/** Options with their values at full size; `…` has none. */
const optionsOf = (options: Program['options']): string =>
  Object.entries(options)
    .map(([name, value]) =>
      typeof value === 'boolean' ? `--${value ? 'no-' : ''}${dashed(name)}` : `--${dashed(name)} ${value ?? '…'}`,
    )
    .join(' ')
