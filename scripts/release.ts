// npm run release -- patch|minor|major|<version> [--dry-run]   versions, changelog, commit, tag
// npm run release -- --check <version>                         whether versions and changelog are those of a tag
// npm run release -- --notes <version>                         the section of the changelog
// RELEASING.md describes the steps.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nextVersion, notesOf, withRelease } from './changelog.ts'
import { top } from '../test/lib/throwaway.ts'

const CHANGELOG = join(top, 'CHANGELOG.md')
const PACKAGES = [
  'package.json',
  'packages/contract/package.json',
  'packages/graphiql/package.json',
  'packages/sdk/package.json',
  'packages/server/package.json',
]

interface PackageFile {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: top, encoding: 'utf8' }).trim()

const readPackage = (path: string) => JSON.parse(readFileSync(join(top, path), 'utf8')) as PackageFile

function checkReady(version: string): void {
  if (git('branch', '--show-current') !== 'main') throw new Error('releases are made on the branch main')
  if (git('status', '--porcelain') !== '') throw new Error('the working tree has changes; commit or discard them first')
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`the tag v${version} exists already`)
}

/** The text of a package file with its new version, and those of the packages beside it that it depends on. */
function withVersion(path: string, version: string): string {
  const own = new Set(PACKAGES.map((each) => readPackage(each).name))
  const file = readPackage(path)
  const dependencies = Object.entries(file.dependencies ?? {}).map(([name, range]) => [
    name,
    own.has(name) ? version : range,
  ])
  const changed = file.dependencies === undefined ? {} : { dependencies: Object.fromEntries(dependencies) as object }
  return `${JSON.stringify({ ...file, version, ...changed }, null, 2)}\n`
}

function release(wanted: string, isDryRun: boolean): void {
  const version = nextVersion(readPackage('package.json').version, wanted)
  if (!isDryRun) checkReady(version)
  const changelog = withRelease(readFileSync(CHANGELOG, 'utf8'), version, new Date().toISOString().slice(0, 10))
  console.log(`version ${version}\n\n${notesOf(changelog, version) ?? ''}\n`)
  const steps = [
    `write version ${version} to ${PACKAGES.join(', ')} and package-lock.json`,
    `write the section ${version} to CHANGELOG.md`,
    `git commit --all --message "Release ${version}"`,
    `git tag --annotate v${version} --message "Release ${version}"`,
  ]
  if (isDryRun) {
    console.log(`Would do:\n${steps.map((step) => `- ${step}`).join('\n')}`)
    return
  }
  for (const path of PACKAGES) writeFileSync(join(top, path), withVersion(path, version))
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: top, stdio: 'inherit' })
  writeFileSync(CHANGELOG, changelog)
  git('commit', '--all', '--quiet', '--message', `Release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`)
  console.log(`Tagged v${version}. Publish it with: git push --follow-tags`)
}

function check(version: string): void {
  const others = PACKAGES.filter((path) => readPackage(path).version !== version)
  if (others.length > 0) throw new Error(`not of version ${version}: ${others.join(', ')}`)
  if (notesOf(readFileSync(CHANGELOG, 'utf8'), version) === null)
    throw new Error(`the changelog has no section for ${version}`)
  console.log(`versions and changelog are those of ${version}`)
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, check: { type: 'string' }, notes: { type: 'string' } },
  })
  if (values.check !== undefined) return check(values.check)
  if (values.notes !== undefined) {
    const notes = notesOf(readFileSync(CHANGELOG, 'utf8'), values.notes)
    if (notes === null) throw new Error(`the changelog has no section for ${values.notes}`)
    console.log(notes)
    return
  }
  const [wanted] = positionals
  if (wanted === undefined) throw new Error('say patch, minor, major or a version; --dry-run only shows the steps')
  release(wanted, values['dry-run'] ?? false)
}

try {
  main()
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
