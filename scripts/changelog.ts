const UNRELEASED = '## [Unreleased]'
const SECTION = /^## \[/mu

/** The text between a heading and the next section; null if there is no such heading. */
function sectionAfter(text: string, heading: string): string | null {
  const start = text.indexOf(heading)
  if (start < 0) return null
  const body = text.slice(text.indexOf('\n', start) + 1)
  const end = body.search(SECTION)
  return (end < 0 ? body : body.slice(0, end)).trim()
}

/** Entries that are not released yet; empty if there are none. */
export const unreleased = (text: string): string => sectionAfter(text, UNRELEASED) ?? ''

/** Release notes of a version; null if the changelog has no section for it. */
export const notesOf = (text: string, version: string): string | null => sectionAfter(text, `## [${version}]`)

/** The changelog with its unreleased entries under a version, and an empty section for the next ones. */
export function withRelease(text: string, version: string, date: string): string {
  if (unreleased(text) === '') throw new Error(`the changelog has no entries under ${UNRELEASED}`)
  if (notesOf(text, version) !== null) throw new Error(`the changelog has a section for ${version} already`)
  return text.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`)
}

const STEPS = ['major', 'minor', 'patch'] as const

/** A step (`minor`) or an exact version, applied to the current version. */
export function nextVersion(current: string, wanted: string): string {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/u.exec(current)?.slice(1).map(Number)
  if (parts === undefined) throw new Error(`"${current}" is not a version`)
  const step = STEPS.findIndex((name) => name === wanted)
  if (step < 0) {
    if (!/^\d+\.\d+\.\d+$/u.test(wanted)) throw new Error(`"${wanted}" is neither ${STEPS.join(', ')} nor a version`)
    return wanted
  }
  return parts.map((part, index) => (index < step ? part : index === step ? part + 1 : 0)).join('.')
}
