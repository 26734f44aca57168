import { createTransport } from 'nodemailer'
import type { MailConfig } from '../config/mail.ts'
import { MailRefused, type MailTransport } from './mail.ts'

const PATIENCE = 10_000

/** Sends mails over SMTP. */
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
        // Passed as an object, because a string could be parsed as several addresses.
        await transport.sendMail({ from: config.mailFrom, to: { name: '', address: to }, subject, text, html })
      } catch (error) {
        throw refusal(error)
      }
    },
    verify: async () => void (await transport.verify()),
    close: () => transport.close(),
  }
}

/** Response codes from 500 up are final; any other failure may be temporary. */
function refusal(error: unknown): MailRefused {
  const { code = 'unknown', responseCode } = error as { readonly code?: string; readonly responseCode?: number }
  return new MailRefused(String(responseCode ?? code), responseCode !== undefined && responseCode >= 500)
}
