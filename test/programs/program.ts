// A row of the table of programs: what it proves, how it is run, and its size in each ring of tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import type { TestDialect } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'

/** `change`: while a file is edited. `gate`: `.ci/run`, before every merge. `night`: `.ci/night`, once a day. */
export const rings = ['change', 'gate', 'night'] as const
export type Ring = (typeof rings)[number]

/** The parts of the night, which can run on several machines at once. */
export const parts = ['databases', 'random', 'kills', 'clusters', 'measurements', 'app', 'deployments'] as const
export type Part = (typeof parts)[number]

/** `postgres` and `mariadb` are the servers that the tests are given; the others are programs that are installed. */
export type Need =
  | 'postgres'
  | 'mariadb'
  | 'postgres-server'
  | 'mariadb-server'
  | 'redis'
  | 'galera'
  | 'patroni'
  | 'haproxy'
  | 'pgbouncer'
  | 'prometheus'
  | 'chromium'
  | 'wrk'
  | 'podman'
  | 'root'
  | 'apt'
  | 'npm-registry'

export type OptionValue = string | number | boolean | null
/** `null` is an option without a default: a number or a text, whichever is given. */
export type Options = Readonly<Record<string, OptionValue>>

export interface Verdict {
  readonly failures: readonly string[]
}

interface Facts {
  /** One sentence. */
  readonly proves: string
  readonly needs?: readonly Need[]
  /** The databases that the option `dialect` can name. */
  readonly dialects?: readonly TestDialect[]
  /** Measures time or memory: nothing else may run meanwhile. */
  readonly alone?: boolean
  /** CPU seconds of the dearest run of a ring and what it starts, as measured, without the servers of databases. */
  readonly cost?: Readonly<Partial<Record<Ring, number>>>
}

/** One run for each size: the options that differ from those of the full size. */
type Sizes<Size> = Readonly<Partial<Record<Ring, readonly Size[]>>>

interface ModuleRow<O extends Options> extends Facts, Sizes<Partial<O>> {
  /** All options, at full size. */
  readonly options: O
  readonly run: (options: O) => Promise<Verdict>
}

interface MeasurementRow<O extends Options> extends Facts, Sizes<Partial<O>> {
  readonly options: O
  readonly figures: (options: O) => Promise<readonly Figure[]>
}

interface CommandRow extends Facts, Sizes<Options> {
  /** A line of bash; what is given to the program comes after it. */
  readonly command: string
}

export interface Program extends Facts, Sizes<Options> {
  readonly options: Options
  /** Only of a program that parses its arguments itself. */
  readonly command?: string
  readonly run: (options: Options, rest: readonly string[]) => Promise<Verdict>
}

/** All databases, also when DIALECTS names some of them. */
export const everyDialect: readonly TestDialect[] = ['postgres', 'mysql', 'sqlite']

/** Initial values of options, with the types of all values that the options can have. */
export const on = true as boolean
export const off = false as boolean
export const noText = null as string | null
export const noNumber = null as number | null
export const postgres = 'postgres' as TestDialect

/** One run at full size. */
export const full: readonly Readonly<Record<string, never>>[] = [{}]

/** The same size on several databases. */
export const onEach = <O extends Options, D extends TestDialect>(
  dialects: readonly D[],
  size: O,
): readonly (O & { readonly dialect: D })[] => dialects.map((dialect) => ({ ...size, dialect }))

/** A program that is a module: its options are checked by the compiler. */
export const program = <O extends Options>(row: ModuleRow<O>): Program => ({
  ...(row as unknown as Program),
  run: (options) => row.run(options as O),
})

/** A program that measures: each figure has to be within its bound. */
export const measurement = <O extends Options>({ figures, ...row }: MeasurementRow<O>): Program =>
  program<O>({
    ...row,
    run: async (options) => {
      const { judge } = await import('../measurements/service.ts')
      return judge(await figures(options))
    },
  })

/** A program that is a command: a script, or a run of some tests. */
export const command = (row: CommandRow): Program => ({
  ...row,
  options: {},
  run: async (options, rest) => {
    const code = await runCommand(row.command, [...argumentsOf(options), ...rest])
    return { failures: code === 0 ? [] : [`exit code ${code}`] }
  },
})

const top = join(import.meta.dirname, '../..')

async function runCommand(line: string, args: readonly string[]): Promise<number> {
  const PATH = [join(top, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  const child = spawn('bash', ['-c', `${line} "$@"`, 'verify', ...args], {
    cwd: top,
    env: { ...process.env, PATH },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

/** The name of an option on a command line. */
export const dashed = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)

/** Options as they are written on a command line. */
export const argumentsOf = (options: Options): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === null) return []
    return typeof value === 'boolean'
      ? [`--${value ? '' : 'no-'}${dashed(name)}`]
      : [`--${dashed(name)}`, String(value)]
  })
