import { sessionReused } from '../../../program/auth/signals.ts'
import { readUser, sampleReset } from '../about/reset-password.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'
import { userMailPhrases } from '../user-text.ts'

const words = userMailPhrases.sessionEnded

export const sessionEnded = defineMail({
  group: 'security',
  title: 'Session ended',
  description: 'A session was ended because its token was used twice.',
  when: onSignal(sessionReused, ({ sessionId, userId }) => [{ id: sessionId, userId }]),
  read: (services, { userId }) => readUser(services, userId),
  write: ({ url }) => ({
    ...toUser(null),
    subject: words.subject,
    preview: words.preview,
    parts: [words.text, words.help],
    button: { label: userMailPhrases.resetPassword, url },
  }),
  sample: sampleReset,
})
