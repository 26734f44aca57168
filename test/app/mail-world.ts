import { afterAll } from 'vitest'
import { startSmtpSink, type SmtpSink } from '../lib/smtp.ts'
import { useWorld, type World } from './world.ts'

/** A world whose service sends mail, and the mails that it has sent. */
export function useMailWorld(): { readonly world: World; readonly mails: () => SmtpSink } {
  let mails: SmtpSink
  const world = useWorld({
    async environment() {
      mails = await startSmtpSink()
      return {
        PUBLIC_URL: 'http://shop.example.com',
        EMAIL_TRANSPORT: 'smtp',
        EMAIL_SMTP_HOST: '127.0.0.1',
        EMAIL_SMTP_PORT: String(mails.port),
      }
    },
  })
  afterAll(() => mails.close())
  return { world, mails: () => mails }
}
