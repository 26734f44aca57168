const ROOT_FILES = new Set(['package.json', 'README.md', 'LICENSE', 'NOTICE'])

/** The paths that do not belong into a package: everything except its build, its program and, if it has any, its declarations. */
export const unexpectedFiles = (paths: readonly string[], isDeclared: boolean): readonly string[] =>
  paths.filter((path) => !ROOT_FILES.has(path) && !isBuilt(path, isDeclared))

/** The page that explains the API. */
const REFERENCE_FILE = /^dist\/reference\/page\.(?:css|html|js)$/u

/** What extensions are written against. */
const EXTENSIONS = 'dist/extensions/api.d.ts'

/** The build stores scripts and styles compressed, and what is too short for it as it is. */
const ADMIN_FILE = /\.(?:br|css|gz|html|ico|js|json|png|svg|txt|webmanifest|woff2)$/u

/** The program for tests, and the gallery of the app's components. */
const FOR_TESTS = /^dist\/testing\.js$|^dist\/app\/assets\/gallery/u

function isBuilt(path: string, isDeclared: boolean): boolean {
  if (FOR_TESTS.test(path)) return false
  if (/^dist\/app\/(?:assets\/)?[\w-][\w.-]*$/u.test(path)) return ADMIN_FILE.test(path) && !isDeclared
  if (REFERENCE_FILE.test(path)) return !isDeclared
  if (!/^(?:bin|dist)\//u.test(path) || /\.test\.|\/\./u.test(path)) return false
  return (
    path === 'dist/LICENCES.txt' ||
    path.endsWith('.js') ||
    path.endsWith('.br') ||
    ((isDeclared || path === EXTENSIONS) && path.endsWith('.d.ts'))
  )
}
