// Checks the admin app against packages/app/layers.json: which folder imports which, that pages do not import each other,
// that no file needs itself, that only one folder sends requests, and the length of files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface AppTable {
  readonly lineLimit: number
  /** Folder of `src`, or file in it → the folders that it may import. It may always import itself. */
  readonly layers: Readonly<Record<string, readonly string[]>>
  /** Folders that may call `fetch`. */
  readonly fetch: readonly string[]
}

export interface AppViolation {
  readonly path: string
  readonly message: string
}

interface AppFile {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

/** Import declarations only: JSX holds text that no tokenizer of TypeScript reads. Pages loaded later are no imports. */
const importsOf = (path: string, text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'/gmu)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => specifier.startsWith('.') && /\.tsx?$/u.test(specifier))
    .map((specifier) => normalize(join(dirname(path), specifier)))

const folderOf = (path: string): string => path.split('/')[0]?.replace(/\.tsx?$/u, '') ?? ''

const areaOf = (path: string): string => path.split('/')[1] ?? ''

/** Checks sources given as path below `src` → text. */
export function checkAppSources(sources: ReadonlyMap<string, string>, table: AppTable): readonly AppViolation[] {
  const files = [...sources].map(([path, text]): AppFile => ({ path, text, imports: importsOf(path, text) }))
  return [...files.flatMap((file) => fileViolations(file, table)), ...cycles(files)]
}

function fileViolations({ path, text, imports }: AppFile, { layers, lineLimit, fetch }: AppTable): AppViolation[] {
  const violation = (message: string): AppViolation => ({ path, message })
  const folder = folderOf(path)
  const allowed = layers[folder]
  if (allowed === undefined) return [violation(`'${folder}' has no row in packages/app/layers.json`)]
  const lines = text.split('\n').length - 1
  return [
    ...(lines > lineLimit ? [violation(`${lines} lines, the limit is ${lineLimit}`)] : []),
    ...(/\bfetch\(/u.test(text) && !fetch.includes(folder) ? [violation('only api sends requests')] : []),
    ...imports.flatMap((target) => {
      const to = folderOf(target)
      if (to !== folder && !allowed.includes(to)) return [violation(`${folder} must not import ${to} (${target})`)]
      if (folder === 'pages' && to === 'pages' && areaOf(target) !== areaOf(path))
        return [violation(`pages must not import each other (${target})`)]
      return []
    }),
  ]
}

function cycles(files: readonly AppFile[]): AppViolation[] {
  const edges = new Map(files.map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const found: AppViolation[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      found.push({ path, message: `import cycle: ${[...trail.slice(start), path].join(' → ')}` })
      return
    }
    if (done.has(path)) return
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return found
}

function main(top: string): void {
  const app = join(top, 'packages/app')
  if (!existsSync(app)) return
  const table = JSON.parse(readFileSync(join(app, 'layers.json'), 'utf8')) as AppTable
  const names = readdirSync(join(app, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name) && !/\.test\.tsx?$/u.test(name))
    .sort()
  const violations = checkAppSources(
    new Map(names.map((name) => [name, readFileSync(join(app, 'src', name), 'utf8')])),
    table,
  )
  for (const { path, message } of violations) console.error(`packages/app/src/${path}: ${message}`)
  console.log(
    `admin app: ${names.length} files, ${violations.length === 0 ? 'no violation' : `${violations.length} violations`}`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
}

if (import.meta.main) main(join(import.meta.dirname, '..'))
