import { randomInt } from 'node:crypto'
import type { Observe } from '../observe.ts'
import { MailRefused, type Mail, type MailKind, type Mailer, type MailTransport } from './mail.ts'
import { mailOf } from './templates.ts'

export interface QueueOptions {
  /** Mails that may wait; more are dropped. */
  readonly capacity: number
  readonly atOnce: number
  /** Most milliseconds before the first try; how many is left to chance. */
  readonly scatter: number
  /** Milliseconds to wait after each failure; when they are used up the mail is given up. */
  readonly pauses: readonly number[]
  /** Milliseconds that mails get when the service ends. */
  readonly patience: number
}

const usual: QueueOptions = {
  capacity: 1000,
  atOnce: 2,
  scatter: 1000,
  pauses: [1000, 5000, 30_000, 120_000, 600_000],
  patience: 3000,
}

interface Job {
  readonly kind: MailKind
  readonly mail: Mail
  readonly tries: number
}

/**
 * Mails wait here, so that an answer neither waits for a mail server nor tells by its time that there is a mail. Even the
 * work of sending must not fall together with anything that could be measured, hence the scatter.
 */
export function createMailer(transport: MailTransport | null, observe: Observe, options = usual): Mailer {
  const waiting: Job[] = []
  const resting = new Map<NodeJS.Timeout, Job>()
  const running = new Set<Promise<void>>()
  let isClosed = false

  const rest = (job: Job, milliseconds: number) => {
    const timer = setTimeout(() => {
      resting.delete(timer)
      waiting.push(job)
      fill()
    }, milliseconds).unref()
    resting.set(timer, job)
  }

  const fill = () => {
    if (transport === null) return
    for (let free = options.atOnce - running.size; free > 0; free -= 1) {
      const job = waiting.shift()
      if (job === undefined) return
      const done: Promise<void> = run(job, transport).finally(() => {
        running.delete(done)
        fill()
      })
      running.add(done)
    }
  }

  async function run(job: Job, server: MailTransport): Promise<void> {
    try {
      await server.send(job.mail)
      observe({ kind: 'mail-sent', about: job.kind })
    } catch (error) {
      const { code, isFinal } = error instanceof MailRefused ? error : { code: 'unknown', isFinal: false }
      const pause = isFinal || isClosed ? undefined : options.pauses[job.tries]
      observe({ kind: 'mail-failed', about: job.kind, code, isGivenUp: pause === undefined })
      if (pause !== undefined) rest({ ...job, tries: job.tries + 1 }, pause)
    }
  }

  /** Everything that waits gets its last try. */
  async function finish(): Promise<void> {
    for (const [timer, job] of resting) {
      clearTimeout(timer)
      waiting.push(job)
    }
    resting.clear()
    fill()
    while (running.size > 0) await Promise.all(running)
  }

  return {
    send(kind, to, project, link) {
      const drop = (reason: string) => observe({ kind: 'mail-dropped', about: kind, reason })
      if (transport === null) return drop('EMAIL_TRANSPORT is not set')
      if (link === null) return drop('PUBLIC_URL is not set')
      if (isClosed || waiting.length + resting.size >= options.capacity) return drop('too many mails are waiting')
      rest({ kind, mail: mailOf(kind, to, project, link), tries: 0 }, randomInt(options.scatter + 1))
    },
    async close() {
      isClosed = true
      const patience = new Promise((resolve) => setTimeout(resolve, options.patience).unref())
      await Promise.race([finish(), patience])
      const left = waiting.length + running.size
      if (left > 0) observe({ kind: 'mails-lost', count: left })
      transport?.close()
    },
  }
}
