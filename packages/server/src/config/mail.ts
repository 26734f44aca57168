import { asFlag, asNumber, asText, oneOf, type Rows } from './readers.ts'

export interface MailConfig {
  readonly mailTransport: string | null
  readonly mailFrom: string
  readonly smtpHost: string
  readonly smtpPort: number
  readonly smtpUser: string | null
  readonly smtpPassword: string | null
  readonly smtpSecure: boolean
  readonly smtpIgnoresTls: boolean
}

export const mailSettings: Rows<MailConfig> = {
  mailTransport: {
    name: 'EMAIL_TRANSPORT',
    fallback: null,
    read: oneOf('smtp'),
    what: 'mail transport: smtp; without it no mails are sent',
  },
  mailFrom: { name: 'EMAIL_FROM', fallback: 'no-reply@localhost', read: asText, what: 'sender of mails' },
  smtpHost: { name: 'EMAIL_SMTP_HOST', fallback: 'localhost', read: asText, what: 'mail server' },
  smtpPort: { name: 'EMAIL_SMTP_PORT', fallback: 587, read: asNumber(1, 65_535), what: 'port of the mail server' },
  smtpUser: { name: 'EMAIL_SMTP_USER', fallback: null, read: asText, what: 'user at the mail server' },
  smtpPassword: { name: 'EMAIL_SMTP_PASSWORD', fallback: null, read: asText, what: 'password at the mail server' },
  smtpSecure: {
    name: 'EMAIL_SMTP_SECURE',
    fallback: false,
    read: asFlag,
    what: 'use TLS from the start; otherwise STARTTLS when the server offers it',
  },
  smtpIgnoresTls: {
    name: 'EMAIL_SMTP_IGNORE_TLS',
    fallback: false,
    read: asFlag,
    what: 'never use STARTTLS',
  },
}
