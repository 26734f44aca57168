import { randomBytes } from 'node:crypto'
import { access, rename, rm, writeFile } from 'node:fs/promises'
import { settingGiven, settings as known, settingProblem } from '../config.ts'
import { fileInUrl } from '../config/database-url.ts'
import { isEmailAddress } from '../lib/email-address.ts'
import { askText, askYes, readPassword } from './ask.ts'
import { preparedIn } from './bootstrap.ts'
import { Usage, type Invocation, type Run } from './command.ts'
import { withCore } from './with-core.ts'

const FILE = '.env'

interface Answers {
  readonly databaseUrl: string
  readonly email: string
  readonly port: string
}

/** Asks, shows what will be created, and creates it. */
export const init: Run = async (invocation) => {
  const { options, terminal } = invocation
  if (options['force'] !== true && (await exists(FILE)))
    throw new Usage(`There is already a file ${FILE} in this folder. Keep it, or replace it with "--force".`)
  const answers = await answersOf(invocation)
  const settings = { ...invocation.settings, DATABASE_URL: answers.databaseUrl }
  for (const line of await planOf(answers, settings)) terminal.tell(line)
  if (options['yes'] !== true) {
    if (!terminal.isInteractive) throw new Usage('Nothing has been done. The option "--yes" confirms the list.')
    if (!(await askYes('Create all this?'))) throw new Usage('Nothing has been done.')
  }
  const given = await readPassword(invocation)
  const password = given ?? randomBytes(15).toString('base64url')
  const { done, isCreated } = await create(answers, settings, password)
  for (const line of done) terminal.tell(line)
  if (!isCreated) terminal.tell('There is already an administrator, so no user was created.')
  else if (given === null) {
    terminal.tell(`The password of ${answers.email} is on standard output. It is not shown again.`)
    terminal.print(`${password}\n`)
  }
  terminal.tell(`Next: tain start, then open http://127.0.0.1:${answers.port}/`)
  return 0
}

async function answersOf(invocation: Invocation): Promise<Answers> {
  const { options, settings } = invocation
  const databaseUrl =
    settingGiven('DATABASE_URL', settings) ??
    (await askText(invocation, {
      message: 'Address of the database, such as postgres://user:password@localhost/shop or sqlite:./my.db',
      option: '--database-url',
      problem: (url) => settingProblem(known.databaseUrl, url),
    }))
  const given = typeof options['email'] === 'string' ? options['email'] : settingGiven('ADMIN_EMAIL', settings)
  const email =
    given ??
    (await askText(invocation, {
      message: 'E-mail address of the first administrator',
      option: '--email',
      problem: (address) => (isEmailAddress(address) ? undefined : 'This is no e-mail address.'),
    }))
  if (!isEmailAddress(email)) throw new Usage('The option "--email" has to be an e-mail address.')
  return { databaseUrl, email, port: settingGiven('PORT', settings) ?? String(known.port.fallback) }
}

/** Connects, and writes nothing. */
const planOf = async (answers: Answers, settings: Invocation['settings']): Promise<readonly string[]> => [
  `In ${withoutPassword(answers.databaseUrl)}, tain init creates:`,
  ...(await missingIn(answers.databaseUrl, settings)),
  `  the first administrator, ${answers.email}, unless there is one already`,
  'In this folder it creates:',
  `  ${FILE}, which only you can read: DATABASE_URL, a random SECRET, PORT=${answers.port}`,
]

async function missingIn(databaseUrl: string, settings: Invocation['settings']): Promise<readonly string[]> {
  const file = fileInUrl(databaseUrl)
  if (file !== null && !(await exists(file))) return ["  the file, with the service's tables"]
  return withCore({ settings }, { onlyLooks: true }, async ({ hasTables, tablesIn }) =>
    hasTables ? [] : [`  the service's tables, in the schema "${tablesIn}"; your tables stay as they are`],
  )
}

/** The file appears last, and complete, so that a failure leaves none behind. */
async function create(answers: Answers, settings: Invocation['settings'], password: string) {
  const { databaseUrl, email, port } = answers
  const secret = randomBytes(32).toString('base64url')
  const temporary = `${FILE}.${randomBytes(6).toString('hex')}`
  const lines = { DATABASE_URL: databaseUrl, SECRET: secret, PORT: port }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${quoted(value)}\n`)
  await writeFile(temporary, text.join(''), { mode: 0o600, flag: 'wx' })
  try {
    const first = { ...settings, SECRET: secret, ADMIN_EMAIL: email, ADMIN_PASSWORD: password }
    const result = await withCore({ settings: first }, { onlyLooks: false }, async (app) => ({
      done: preparedIn(app),
      isCreated: app.preparation()?.isAdministratorCreated === true,
    }))
    await rename(temporary, FILE)
    return { ...result, done: [...result.done, `Created ${FILE}.`] }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const quoted = (value: string): string => {
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? "'"
  return `${quote}${value}${quote}`
}

function withoutPassword(text: string): string {
  const url = new URL(text)
  if (url.password !== '') url.password = '***'
  return url.href
}
