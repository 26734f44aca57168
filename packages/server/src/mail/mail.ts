/** A mail as it is passed to a mail server. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The kinds of mails; each has its own text. */
export type MailKind = 'reset' | 'invite' | 'verification'

/** Sends mails; an error says whether a retry makes sense. */
export interface MailTransport {
  send(mail: Mail): Promise<void>
  /** Connects and logs in, and sends nothing. */
  verify(): Promise<void>
  close(): void
}

/** The mail server did not accept a mail; `isFinal`: a retry does not help. */
export class MailRefused extends Error {
  readonly isFinal: boolean
  /** The server's code, not its message, which repeats addresses. */
  readonly code: string

  constructor(code: string, isFinal: boolean) {
    super(`the mail was not taken (${code})`)
    this.name = 'MailRefused'
    this.code = code
    this.isFinal = isFinal
  }
}

export interface Mailer {
  /** Returns at once; the outcome is reported as an observation. */
  send(kind: MailKind, to: string, project: string, link: string | null): void
  /** Rejects if the mail server would not take a mail now; sends none. Null: no mails are sent. */
  readonly verify: (() => Promise<void>) | null
  /** Gives waiting mails one last attempt, for a limited time. */
  close(): Promise<void>
}
