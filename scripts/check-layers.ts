// Checks the source against layers.json: the allowed imports, the words that are allowed only in certain places, and
// the size of files and functions.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { functionsOf } from './source-functions.ts'
import { importsOf, tokenize } from './source-tokens.ts'
import type { Import, Token } from './source-tokens.ts'

type OnlyRule = 'process.env' | 'kysely' | 'raw SQL' | 'dialect name' | 'administrator' | 'authorize'

export interface Table {
  readonly lineLimit: number
  /** Paths of files with tables that may exceed the line limit. */
  readonly longFiles: readonly string[]
  /** Maximum number of lines in the body of a function, with the functions in it. */
  readonly functionLimit: number
  /** Functions that may exceed the limit, as `path:name` → why. */
  readonly longFunctions: Readonly<Record<string, string>>
  /** Folders besides the source roots that are checked for size alone. */
  readonly sized: readonly string[]
  /** Source root → its layer; null: each folder and each file in it is a layer of that name. */
  readonly roots: Readonly<Record<string, string | null>>
  /** Workspace package → its entry file. */
  readonly packages: Readonly<Record<string, string>>
  readonly layers: Readonly<Record<string, Layer>>
  /** Constructs that may appear only in these folders (ending in a slash) and files. */
  readonly only: Readonly<Record<OnlyRule, readonly string[]>>
  readonly dialectNames: readonly string[]
  /** Folders that test the server and so share no code with it: they import only each other and external packages. */
  readonly independent: readonly string[]
  readonly neutral: { readonly folders: readonly string[]; readonly words: readonly string[] }
}

interface Layer {
  /** `name`, `name:type` for type imports only, `*` for all. A folder may always import itself. */
  readonly imports: readonly string[]
  /** Allowed external packages; all when left out. */
  readonly external?: readonly string[]
}

interface SourceFile {
  readonly path: string
  /** The path below its root, which the rules refer to. */
  readonly inner: string
  readonly layer: string
  readonly lines: number
  readonly tokens: readonly Token[]
  readonly imports: readonly Import[]
}

export interface Violation {
  readonly path: string
  readonly line: number
  readonly message: string
}

export interface Result {
  readonly files: number
  readonly imports: number
  readonly violations: readonly Violation[]
}

/** Checks sources given as path → text, so that the rules can be tested without a disk. */
export function checkSources(sources: ReadonlyMap<string, string>, table: Table): Result {
  const files = [...sources].map(([path, text]) => sourceFile(path, text, table))
  const violations = [
    ...files.flatMap((file) => [
      ...placeViolations(file, table),
      ...sizeViolations(file, table),
      ...file.imports.flatMap((found) => importViolations(file, found, table)),
      ...onlyViolations(file, table),
      ...neutralViolations(file, table),
    ]),
    ...cycleViolations(files, table),
  ]
  return { files: files.length, imports: files.reduce((sum, file) => sum + file.imports.length, 0), violations }
}

/** Checks that the independent folders and files share no code with the server, types included. */
export function checkIndependence(sources: ReadonlyMap<string, string>, { independent, packages }: Table): Violation[] {
  return [...sources].flatMap(([path, text]) =>
    importsOf(tokenize(text)).flatMap(({ specifier, line }): Violation[] => {
      const target = specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : packages[specifier]
      if (target === undefined || independent.some((place) => target === place || target.startsWith(`${place}/`)))
        return []
      return [{ path, line, message: `'${specifier}' is not independent of what is judged here` }]
    }),
  )
}

/** Checks only the size of files and functions. */
export const checkSizes = (sources: ReadonlyMap<string, string>, table: Table): Violation[] =>
  [...sources].flatMap(([path, text]) => sizeViolations(sourceFile(path, text, table), table))

function sourceFile(path: string, text: string, table: Table): SourceFile {
  const tokens = tokenize(text)
  const { layer, inner } = placeOf(path, table)
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return { path, inner, layer, lines, tokens, imports: importsOf(tokens) }
}

function placeOf(path: string, table: Table): { layer: string; inner: string } {
  const root = Object.keys(table.roots).find((candidate) => path.startsWith(`${candidate}/`))
  if (root === undefined) return { layer: '', inner: path }
  const inner = path.slice(root.length + 1)
  const [first = ''] = inner.split('/')
  return { layer: table.roots[root] ?? first.replace(/\.ts$/, ''), inner }
}

function placeViolations({ path, layer }: SourceFile, { layers }: Table): readonly Violation[] {
  return layers[layer] === undefined ? [{ path, line: 1, message: `'${layer}' has no row in layers.json` }] : []
}

function sizeViolations(file: SourceFile, { lineLimit, longFiles, functionLimit, longFunctions }: Table): Violation[] {
  const { path, lines, tokens } = file
  const isTooLong = lines > lineLimit && !longFiles.includes(path)
  const tooLong = functionsOf(tokens).filter(
    (found) => found.lines > functionLimit && (longFunctions[`${path}:${found.name}`] ?? '') === '',
  )
  return [
    ...(isTooLong ? [{ path, line: lines, message: `${lines} lines, the limit is ${lineLimit}` }] : []),
    ...tooLong.map(({ name, line, lines: length }) => ({
      path,
      line,
      message: `the function ${name} has ${length} lines, the limit is ${functionLimit}`,
    })),
  ]
}

/** The file that a specifier refers to; undefined for an external package. */
function targetOf(file: SourceFile, { specifier }: Import, table: Table): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(file.path), specifier))
  return table.packages[specifier]
}

function importViolations(file: SourceFile, found: Import, table: Table): readonly Violation[] {
  const violation = (message: string): readonly Violation[] => [{ path: file.path, line: found.line, message }]
  const layer = table.layers[file.layer]
  if (layer === undefined) return []

  const target = targetOf(file, found, table)
  if (target === undefined) {
    if (layer.external === undefined || layer.external.includes(found.specifier)) return []
    return violation(`${file.layer} must not import the package '${found.specifier}'`)
  }
  const to = placeOf(target, table).layer
  if (to === '') return violation(`'${found.specifier}' lies outside the source folders`)
  if (to === file.layer || layer.imports.includes('*') || layer.imports.includes(to)) return []
  if (!layer.imports.includes(`${to}:type`))
    return violation(`${file.layer} must not import ${to} ('${found.specifier}')`)
  if (found.typeOnly) return []
  return violation(`${file.layer} may import only types of ${to}: write 'import type' ('${found.specifier}')`)
}

const NONE: Token = { kind: 'punctuation', text: '', line: 0 }

/** A token with its two neighbours on each side. */
type Window = readonly [before2: Token, before: Token, token: Token, after: Token, after2: Token]

const windowsOf = (tokens: readonly Token[]): readonly Window[] =>
  tokens.map((token, index) => [
    tokens[index - 2] ?? NONE,
    tokens[index - 1] ?? NONE,
    token,
    tokens[index + 1] ?? NONE,
    tokens[index + 2] ?? NONE,
  ])

const EQUALITY = new Set(['===', '!==', '==', '!='])
const MEMBER = new Set(['.', '?.'])

/** Reads the environment directly, or assigns `process` itself to another name. */
function readsEnvironment([, before, token, after, after2]: Window): boolean {
  if (token.kind !== 'word' || token.text !== 'process' || MEMBER.has(before.text)) return false
  if (MEMBER.has(after.text)) return after2.text === 'env'
  return after.text === '[' || (before.text === '=' && after.text !== '(')
}

function comparesDialect([, before, token, after]: Window, names: readonly string[]): boolean {
  if (token.kind !== 'string' || !names.includes(token.text)) return false
  return EQUALITY.has(before.text) || EQUALITY.has(after.text) || (before.kind === 'word' && before.text === 'case')
}

const callsRaw = ([before2, before, token, after]: Window): boolean =>
  token.kind === 'word' &&
  token.text === 'raw' &&
  MEMBER.has(before.text) &&
  (['(', '<'].includes(after.text) || before2.text === 'sql')

/** Builds an actor by hand that no rule applies to. */
const makesAdministrator = ([, , token, after, after2]: Window): boolean =>
  token.kind === 'word' && token.text === 'isAdmin' && after.text === ':' && after2.text === 'true'

const isWithin = (inner: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith('/') ? inner.startsWith(place) : inner === place))

function onlyViolations(file: SourceFile, { only, dialectNames }: Table): readonly Violation[] {
  const tokenRules: Partial<Record<OnlyRule, (window: Window) => boolean>> = {
    'process.env': readsEnvironment,
    'raw SQL': callsRaw,
    'dialect name': (window) => comparesDialect(window, dialectNames),
    administrator: makesAdministrator,
  }
  const importRules: Partial<Record<OnlyRule, (found: Import) => boolean>> = {
    kysely: ({ specifier }) => specifier === 'kysely' || specifier.startsWith('kysely/'),
    'process.env': ({ specifier, names }) => /^(node:)?process$/.test(specifier) && names.includes('env'),
    administrator: ({ specifier, names }) => specifier.endsWith('/actor.ts') && names.includes('administrator'),
    authorize: ({ specifier, names }) => specifier.endsWith('/authorized.ts') && names.includes('authorize'),
  }
  const windows = windowsOf(file.tokens)
  return (Object.keys(only) as OnlyRule[])
    .filter((rule) => !isWithin(file.inner, only[rule]))
    .flatMap((rule) => {
      const lines = [
        ...windows.filter((window) => tokenRules[rule]?.(window) === true).map((window) => window[2].line),
        ...file.imports.filter((found) => importRules[rule]?.(found)).map((found) => found.line),
      ]
      const message = `${rule} is allowed only in ${only[rule].join(', ')}`
      return lines.map((line) => ({ path: file.path, line, message }))
    })
}

/** `parseRestQuery` → parse, rest, query; `GraphQLName` → graphql, name. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/GraphQL/g, 'Graphql')
    .split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .map((word) => word.toLowerCase())

function neutralViolations(file: SourceFile, { neutral }: Table): readonly Violation[] {
  if (!isWithin(file.inner, neutral.folders)) return []
  const names = file.tokens.filter(({ kind }) => kind === 'word').map(({ text, line }) => ({ text, line }))
  const specifiers = file.imports.map(({ specifier, line }) => ({ text: specifier, line }))
  return [...names, ...specifiers].flatMap(({ text, line }) => {
    const word = wordsOf(text).find((part) => neutral.words.includes(part))
    // `rest` alone is the usual name for the remainder of a destructuring.
    if (word === undefined || text === 'rest') return []
    return [{ path: file.path, line, message: `'${text}': ${file.layer} must not know the word '${word}'` }]
  })
}

/** Imports of types count too: files that need each other's types cannot be read or changed one after the other. */
function cycleViolations(files: readonly SourceFile[], table: Table): readonly Violation[] {
  const known = new Set(files.map(({ path }) => path))
  const edges = new Map(
    files.map((file) => [
      file.path,
      file.imports
        .map((found) => targetOf(file, found, table))
        .filter((target) => target !== undefined && known.has(target)) as string[],
    ]),
  )
  const done = new Set<string>()
  const violations: Violation[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      violations.push({ path, line: 1, message: `import cycle: ${[...trail.slice(start), path].join(' → ')}` })
      return
    }
    if (done.has(path)) return
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return violations
}

function readSources(top: string, folders: readonly string[]): ReadonlyMap<string, string> {
  const paths = folders.flatMap((root) =>
    root.endsWith('.ts')
      ? [root]
      : readdirSync(join(top, root), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'))
          .map((name) => join(root, name)),
  )
  return new Map(paths.sort().map((path) => [path, readFileSync(join(top, path), 'utf8')]))
}

function main(top: string): void {
  const table = JSON.parse(readFileSync(join(top, 'layers.json'), 'utf8')) as Table
  const { files, imports, violations: inLayers } = checkSources(readSources(top, Object.keys(table.roots)), table)
  const violations = [
    ...inLayers,
    ...checkSizes(readSources(top, table.sized), table),
    ...checkIndependence(readSources(top, table.independent), table),
  ]
  for (const { path, line, message } of violations) console.error(`${path}:${line}: ${message}`)
  const verdict = violations.length === 0 ? 'no violation' : `${violations.length} violations`
  console.log(`layers: ${files} files, ${imports} imports, ${verdict}`)
  process.exitCode = violations.length === 0 ? 0 : 1
}

if (import.meta.main) main(process.argv[2] ?? join(import.meta.dirname, '..'))
