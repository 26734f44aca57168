import type { StorageLocation } from '../config/storage.ts'
import { problem, warning, type Examination, type Finding } from './check.ts'

const NEW_SECRET = 'Set SECRET to at least 32 random characters: openssl rand -base64 48'

const isOlder = ([major = 0, minor = 0]: readonly number[], [needed = 0, neededMinor = 0]: readonly number[]) =>
  major < needed || (major === needed && minor < neededMinor)

const numbersIn = (version: string) => version.replace(/^\D+/u, '').split('.').map(Number)

export const nodeVersion = ({ node: { version, needed } }: Examination): readonly Finding[] =>
  isOlder(numbersIn(version), numbersIn(needed))
    ? [
        problem(
          `This is Node.js ${version}; the service needs ${needed} or newer.`,
          `nvm install ${numbersIn(needed)[0]}`,
        ),
      ]
    : []

const isAboutSecret = (text: string) => text.startsWith('SECRET')
const isAboutDatabase = (text: string) => text.startsWith('DATABASE_URL')

export function secret({ config, problems }: Examination): readonly Finding[] {
  const found = problems.filter(isAboutSecret)
  if (found.length > 0) return found.map((text) => problem(`${text}.`, NEW_SECRET))
  if (config.secret !== null || config.isReadOnly) return []
  return [
    warning(
      'SECRET is not set: every restart ends all logins, and replicas do not accept tokens of each other.',
      NEW_SECRET,
    ),
  ]
}

/** Fixes of settings that contradict each other; other problems say themselves what a value has to be. */
const fixes: readonly (readonly [pattern: RegExp, fix: string])[] = [
  [
    /^CORS_CREDENTIALS/u,
    'List the origins in CORS_ORIGIN, such as CORS_ORIGIN=https://app.example.com, or set CORS_CREDENTIALS=false',
  ],
  [/_SAME_SITE is none/u, 'Set the _SECURE setting of that cookie to true, or its _SAME_SITE to lax'],
  [/_FILE/u, 'Keep one of the two, and let the service read the file'],
]

export function settings({ config, problems }: Examination): readonly Finding[] {
  const found = problems
    .filter((text) => !isAboutSecret(text) && !isAboutDatabase(text))
    .map((text) =>
      problem(
        `${text}.`,
        fixes.find(([pattern]) => pattern.test(text))?.[1] ?? 'Correct it: tain start --help lists all settings',
      ),
    )
  for (const { name, meant } of config.misspelt)
    found.push(warning(`${name} is no setting, so it has no effect. Did you mean ${meant}?`, `Rename it to ${meant}`))
  if (config.trustProxy === true)
    found.push(
      warning(
        'IP_TRUST_PROXY is true: every caller can choose its address by the header X-Forwarded-For.',
        'Set IP_TRUST_PROXY to the number of your proxies, or to their addresses',
      ),
    )
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  for (const [name, isSecure] of [
    ['SESSION_COOKIE_SECURE', config.sessionCookieSecure],
    ['REFRESH_TOKEN_COOKIE_SECURE', config.refreshCookieSecure],
  ] as const)
    if (isHttps && isSecure === false)
      found.push(
        problem(
          `PUBLIC_URL is https, and ${name} is false: the cookie is sent without TLS.`,
          `Set ${name}=true, or leave it out`,
        ),
      )
  if (config.mailTransport !== null && config.publicUrl === null)
    found.push(
      problem(
        'EMAIL_TRANSPORT is set and PUBLIC_URL is not: links in mails lead nowhere.',
        'Set PUBLIC_URL=https://api.example.com',
      ),
    )
  return found
}

const storageFixes: {
  readonly [D in StorageLocation['driver']]: (prefix: string, place: string) => string
} = {
  local: (prefix, place) =>
    `Let the user that runs the service write to ${place}, or set ${prefix}ROOT to a folder that it may write`,
  s3: (prefix) =>
    `Correct ${prefix}BUCKET, ${prefix}ENDPOINT, ${prefix}KEY and ${prefix}SECRET, or the policy of the bucket`,
}

/** A service that only reads stores no files. */
export async function storages({ config, storages: probe }: Examination): Promise<readonly Finding[]> {
  if (config.isReadOnly) return []
  return (await probe()).flatMap(({ location: { name, driver }, prefix, place, reason }) =>
    reason === null
      ? []
      : [problem(`The storage ${name} cannot write to ${place}: ${reason}.`, storageFixes[driver](prefix, place))],
  )
}

/** Why there is no address to connect to. */
export const addressProblems = ({ problems }: Examination): readonly Finding[] =>
  problems
    .filter(isAboutDatabase)
    .map((text) =>
      problem(`${text}.`, 'Set DATABASE_URL, such as DATABASE_URL=postgres://user:password@localhost:5432/shop'),
    )
