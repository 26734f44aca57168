// Commands that ask: the questions on a terminal, and what the answers do.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCommand } from '../lib/command.ts'
import { converse } from '../lib/pty.ts'

const PATIENCE = 240_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-dialogue-'))
})
afterAll(() => rm(folder, { recursive: true }))

const PASSWORD = 'correct-horse-battery'
const asked = [
  ['Address of the database', 'sqlite:./asked.db'],
  ['E-mail address of the first administrator', 'ann@example.com'],
] as const

test(
  'tain init asks for what is missing, shows what it will do, and does nothing without a yes',
  async () => {
    const { code, shown } = await converse(['init'], [...asked, ['Create all this?', 'n']], { folder })
    expect(shown).toContain('the first administrator, ann@example.com')
    expect(shown).toContain('Nothing has been done.')
    expect(code).toBe(2)
    expect(await readdir(folder)).toEqual([])
  },
  PATIENCE,
)

test(
  'tain init creates the file with the password that was typed twice',
  async () => {
    const { code, shown } = await converse(
      ['init'],
      [...asked, ['Create all this?', 'y'], ['Password', PASSWORD], ['The same password again', PASSWORD]],
      { folder },
    )
    expect(code).toBe(0)
    expect(shown).not.toContain(PASSWORD)
    expect(shown).toContain('Next: tain start')
    expect(await readFile(join(folder, '.env'), 'utf8')).toContain("DATABASE_URL='sqlite:./asked.db'")
  },
  PATIENCE,
)

test(
  'tain eject --run wants the name of the database',
  async () => {
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'asked.db')}` }
    const question = 'Type the name of the database (asked.db) to go on: '
    const wrong = await converse(['eject', '--run'], [[question, 'asket.db']], { folder, environment })
    expect([wrong.code, wrong.shown]).toEqual([2, expect.stringContaining('Nothing was removed.')])
    expect((await callCommand(['users', 'list'], { environment })).out).toContain('ann@example.com')
    const right = await converse(['eject', '--run'], [[question, 'asked.db']], { folder, environment })
    expect(right.code).toBe(0)
    expect((await callCommand(['users', 'list'], { environment })).error).toContain('has no tables')
  },
  PATIENCE,
)
