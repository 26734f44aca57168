import type { Mail, MailKind } from './mail.ts'

interface Words {
  readonly subject: (project: string) => string
  readonly lines: readonly string[]
  readonly button: string
}

const words: Readonly<Record<MailKind, Words>> = {
  reset: {
    subject: (project) => `Set a new password for ${project}`,
    lines: [
      'Somebody, probably you, asked to set a new password for your account.',
      'The link works once. If it was not you who asked, there is nothing to do: your password stays as it is.',
    ],
    button: 'Set a new password',
  },
  invite: {
    subject: (project) => `You have been invited to ${project}`,
    lines: ['An account has been made for you.', 'Choose a password to begin.'],
    button: 'Accept the invitation',
  },
  verification: {
    subject: (project) => `Confirm your address for ${project}`,
    lines: [
      'Somebody, probably you, registered with this address.',
      'Confirm it to finish. If it was not you, ignore this mail: without it nothing happens.',
    ],
    button: 'Confirm the address',
  },
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (character) => entities[character] ?? '')

/** A subject must not contain line breaks. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, ' ').trim()

export function mailOf(kind: MailKind, to: string, project: string, link: string): Mail {
  const { subject, lines, button } = words[kind]
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')
  return {
    to,
    subject: oneLine(subject(project)),
    text: [...lines, `${button}: ${link}`].join('\n\n'),
    html: `<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; max-width: 36em; margin: 2em auto">
<h1 style="font-size: 1.25em">${escapeHtml(oneLine(subject(project)))}</h1>
${paragraphs}
<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p>
</body>
</html>
`,
  }
}
