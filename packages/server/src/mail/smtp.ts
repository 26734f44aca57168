import { createTransport } from 'nodemailer'
import type { MailConfig } from '../config/mail.ts'
import { MailRefused, type MailTransport } from './mail.ts'

const PATIENCE = 10_000

/** Mails over SMTP. */
export function createSmtp(config: MailConfig): MailTransport {
  const { smtpUser, smtpPassword } = config
  const transport = createTransport({
    host: config.smtpHost,
    port: config.smtpPort,
    secure: config.smtpSecure,
    ignoreTLS: config.smtpIgnoresTls,
    ...(smtpUser === null ? {} : { auth: { user: smtpUser, pass: smtpPassword ?? '' } }),
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: 3 * PATIENCE,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html }) {
      try {
        // As an object: a text could be read as several addresses.
        await transport.sendMail({ from: config.mailFrom, to: { name: '', address: to }, subject, text, html })
      } catch (error) {
        throw refusal(error)
      }
    },
    close: () => transport.close(),
  }
}

/** Answers from 500 up are final; everything else may be better in a while. */
function refusal(error: unknown): MailRefused {
  const { code = 'unknown', responseCode } = error as { readonly code?: string; readonly responseCode?: number }
  return new MailRefused(String(responseCode ?? code), responseCode !== undefined && responseCode >= 500)
}
