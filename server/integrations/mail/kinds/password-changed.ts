import { passwordChanged } from '../../../program/auth/signals.ts'
import { readUser, sampleReset } from '../about/reset-password.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'
import { userMailPhrases } from '../user-text.ts'

const words = userMailPhrases.passwordChanged

export const passwordChangedMail = defineMail({
  group: 'security',
  title: 'Password changed',
  description: 'A password was changed.',
  when: onSignal(passwordChanged, ({ userId }, { id }) => [{ id, userId }]),
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
