import { randomInt } from 'node:crypto'
import type { Observe } from '../observe.ts'
import { MailRefused, type Mail, type MailKind, type Mailer, type MailTransport } from './mail.ts'
import { mailOf } from './templates.ts'

export interface QueueOptions {
  /** Maximum number of waiting mails; further mails are dropped. */
  readonly capacity: number
  readonly atOnce: number
  /** Maximum random delay before the first attempt, in milliseconds. */
  readonly scatter: number
  /** Milliseconds to wait after each failure; the mail is given up when the list is used up. */
  readonly pauses: readonly number[]
  /** Milliseconds that waiting mails get on shutdown. */
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

/** Jobs on their way to the mail server. */
interface Queue {
  /** The number of jobs that wait for their turn or for the end of a pause. */
  size(): number
  /** Adds a job after a pause in milliseconds. */
  add(job: Job, pause: number): void
  /** Runs every job without its pause, and waits for all of them. */
  drain(): Promise<void>
  /** The number of jobs that are not done. */
  left(): number
}

/** Runs at most `atOnce` jobs at a time. */
function createQueue(atOnce: number, run: (job: Job) => Promise<void>): Queue {
  const waiting: Job[] = []
  const resting = new Map<NodeJS.Timeout, Job>()
  const running = new Set<Promise<void>>()

  const fill = () => {
    for (let free = atOnce - running.size; free > 0; free -= 1) {
      const job = waiting.shift()
      if (job === undefined) return
      const done: Promise<void> = run(job).finally(() => {
        running.delete(done)
        fill()
      })
      running.add(done)
    }
  }

  return {
    size: () => waiting.length + resting.size,
    add(job, pause) {
      const timer = setTimeout(() => {
        resting.delete(timer)
        waiting.push(job)
        fill()
      }, pause).unref()
      resting.set(timer, job)
    },
    async drain() {
      for (const [timer, job] of resting) {
        clearTimeout(timer)
        waiting.push(job)
      }
      resting.clear()
      fill()
      while (running.size > 0) await Promise.all(running)
    },
    left: () => waiting.length + running.size,
  }
}

/**
 * Queues mails, so that a response neither waits for a mail server nor reveals by its timing that a mail is sent. The
 * random delay also separates the work of sending from anything that a caller could measure.
 */
export function createMailer(transport: MailTransport | null, observe: Observe, options = usual): Mailer {
  const queue = createQueue(options.atOnce, run)
  let isClosed = false

  async function run(job: Job): Promise<void> {
    try {
      await transport?.send(job.mail)
      observe({ kind: 'mail-sent', about: job.kind })
    } catch (error) {
      const { code, isFinal } = error instanceof MailRefused ? error : { code: 'unknown', isFinal: false }
      const pause = isFinal || isClosed ? undefined : options.pauses[job.tries]
      observe({ kind: 'mail-failed', about: job.kind, code, isGivenUp: pause === undefined })
      if (pause !== undefined) queue.add({ ...job, tries: job.tries + 1 }, pause)
    }
  }

  return {
    send(kind, to, project, link) {
      const drop = (reason: string) => observe({ kind: 'mail-dropped', about: kind, reason })
      if (transport === null) return drop('EMAIL_TRANSPORT is not set')
      if (link === null) return drop('PUBLIC_URL is not set')
      if (isClosed || queue.size() >= options.capacity) return drop('too many mails are waiting')
      queue.add({ kind, mail: mailOf(kind, to, project, link), tries: 0 }, randomInt(options.scatter + 1))
    },
    verify: transport === null ? null : () => transport.verify(),
    async close() {
      isClosed = true
      const patience = new Promise((resolve) => setTimeout(resolve, options.patience).unref())
      await Promise.race([queue.drain(), patience])
      const left = queue.left()
      if (left > 0) observe({ kind: 'mails-lost', count: left })
      transport?.close()
    },
  }
}
