import type { Word } from '#contract/format.ts'

/** The words of the administrator's mail screen. */
export const mailWords = {
  tabs: 'Mail',
  log: 'Log',
  previews: 'Previews',
  sentBy: ({ host, port, from }: { host: Word; port: Word; from: Word }) => `Sent through ${host}:${port} as ${from}`,
  noServer: 'No mail server is set. Emails are kept in the outbox.',
  noServerHelp: 'Set SMTP_URL to send them.',

  plural: 'emails',
  to: 'To',
  subject: 'Subject',
  lastTried: 'Last tried',
  file: 'File',
  text: 'Text',
  noneYet: 'Emails from the last 90 days appear here with their delivery status.',
  missing: 'This email isn’t on this page of the list.',
  hiddenLinks: 'Links that give access to an account are hidden. Only the recipient can use them.',
  ofAccount:
    'The subject and text are hidden because this email belongs to an account. If no mail server is set, they’re in the file in the data folder.',
  about: {
    waiting: 'It will be sent or retried soon.',
    sent: 'The mail server accepted it.',
    kept: 'No mail server is set, so it was kept in the outbox.',
    refused: 'The mail server rejected it. It won’t be retried.',
    failed: 'It couldn’t be sent and won’t be retried.',
    skipped: 'Not sent.',
  },

  open: 'Open as HTML',
  description: 'When it’s sent',

  test: 'Send test email',
  testWhy: 'You’ll see here whether the mail server accepts it.',
  testKept: 'No mail server is set, so the email will be kept in the outbox.',
  testSend: 'Send email',
  testing: ({ email }: { email: Word }) => `Sending to ${email}...`,
  testSent: ({ email }: { email: Word }) => `The mail server accepted the email to ${email}.`,
  testKeptDone: ({ email }: { email: Word }) => `The email to ${email} was kept in the outbox.`,
  testFailed: ({ email }: { email: Word }) => `The email to ${email} wasn’t sent.`,
  testAgain: 'Try again',
}
