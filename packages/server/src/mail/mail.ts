/** A mail as it is handed to a server. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What mails are about; each has its own words. */
export type MailKind = 'reset' | 'invite' | 'verification'

/** Hands mails over; an error says whether trying again makes sense. */
export interface MailTransport {
  send(mail: Mail): Promise<void>
  close(): void
}

/** A mail that will not be taken, now or later. */
export class MailRefused extends Error {
  readonly isFinal: boolean
  /** The server's code, never its words: they repeat addresses. */
  readonly code: string

  constructor(code: string, isFinal: boolean) {
    super(`the mail was not taken (${code})`)
    this.name = 'MailRefused'
    this.code = code
    this.isFinal = isFinal
  }
}

export interface Mailer {
  /** Returns at once; what becomes of the mail is observed. */
  send(kind: MailKind, to: string, project: string, link: string | null): void
  /** Mails that wait get a last try and a moment for it. */
  close(): Promise<void>
}
