import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Observation } from '../observe.ts'
import { MailRefused, type Mail, type MailTransport } from './mail.ts'
import { createMailer } from './queue.ts'

const options = { capacity: 3, atOnce: 1, scatter: 0, pauses: [100, 1000], patience: 50 }

function setUp(answers: (Error | null)[] = []) {
  const [sent, seen]: [Mail[], Observation[]] = [[], []]
  const state = { closed: 0 }
  const transport: MailTransport = {
    async send(mail) {
      const failure = answers.shift() ?? null
      if (failure !== null) throw failure
      sent.push(mail)
    },
    verify: async () => undefined,
    close: () => {
      state.closed += 1
    },
  }
  const mailer = createMailer(transport, (observation) => seen.push(observation), options)
  const send = (to: string) => mailer.send('reset', to, 'Project', 'https://example.com/?token=x')
  return { sent, seen, transport, mailer, send, state }
}

const busy = () => new MailRefused('451', false)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a mail', () => {
  test('is sent after the answer, not before', async () => {
    const { sent, send } = setUp()
    send('a@example.com')
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(sent.map(({ to }) => to)).toEqual(['a@example.com'])
  })

  test('is tried again after a while, each time after a longer one', async () => {
    const { sent, send } = setUp([busy(), busy()])
    send('a@example.com')
    await vi.advanceTimersByTimeAsync(150)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(900)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toHaveLength(1)
  })

  test('is given up when all tries failed, and at once when the server says never', async () => {
    const { sent, seen, send } = setUp([busy(), busy(), busy()])
    send('a@example.com')
    await vi.advanceTimersByTimeAsync(5000)
    expect([sent.length, seen.at(-1)]).toEqual([
      0,
      { kind: 'mail-failed', about: 'reset', code: '451', isGivenUp: true },
    ])
    const refused = setUp([new MailRefused('550', true)])
    refused.send('a@example.com')
    await vi.advanceTimersByTimeAsync(5)
    expect(refused.seen).toEqual([{ kind: 'mail-failed', about: 'reset', code: '550', isGivenUp: true }])
  })

  test('too many are dropped, the others are sent', async () => {
    const { sent, seen, send } = setUp()
    for (const name of ['a', 'b', 'c', 'd']) send(`${name}@example.com`)
    await vi.advanceTimersByTimeAsync(5)
    expect(sent).toHaveLength(3)
    expect(seen).toContainEqual({ kind: 'mail-dropped', about: 'reset', reason: 'too many mails are waiting' })
  })

  test('nothing that is observed tells whom or what', async () => {
    const { seen, send } = setUp([new Error('for a@example.com')])
    send('a@example.com')
    await vi.advanceTimersByTimeAsync(500)
    expect(JSON.stringify(seen)).not.toMatch(/example\.com|token/u)
    expect(seen).toHaveLength(2)
  })
})

describe('at the end', () => {
  test('mails that wait get a last try, and those who come then are dropped', async () => {
    const { sent, seen, mailer, send, state } = setUp([busy()])
    send('a@example.com')
    await vi.advanceTimersByTimeAsync(2)
    send('b@example.com')
    expect(sent).toEqual([])
    await mailer.close()
    expect(sent.map(({ to }) => to).toSorted()).toEqual(['a@example.com', 'b@example.com'])
    expect(state.closed).toBe(1)
    send('c@example.com')
    expect(seen.at(-1)).toMatchObject({ kind: 'mail-dropped' })
  })

  test('a server that does not answer is not waited for, and what is lost is said', async () => {
    const { seen, mailer, send, transport } = setUp()
    transport.send = () => new Promise(() => {})
    send('a@example.com')
    send('b@example.com')
    const closed = mailer.close()
    await vi.advanceTimersByTimeAsync(60)
    await closed
    expect(seen).toEqual([{ kind: 'mails-lost', count: 2 }])
  })
})

test('without a server or an address of our own nothing is sent, and that is said', () => {
  const seen: Observation[] = []
  const none = createMailer(null, (observation) => seen.push(observation))
  none.send('reset', 'a@example.com', 'Project', 'https://example.com')
  setUp().mailer.send('reset', 'a@example.com', 'Project', null)
  expect(seen).toEqual([{ kind: 'mail-dropped', about: 'reset', reason: 'EMAIL_TRANSPORT is not set' }])
})
