import { passwordChanged } from '../../../program/auth/signals.ts'
import { readUser, sampleReset } from '../about/reset-password.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'

export const passwordChangedMail = defineMail({
  group: 'security',
  title: 'Password changed',
  description: 'A password was changed.',
  when: onSignal(passwordChanged, ({ userId }, { id }) => [{ id, userId }]),
  read: (services, { userId }) => readUser(services, userId),
  write: ({ url }) => ({
    ...toUser(null),
    subject: 'Your password was changed',
    preview: 'You were signed out everywhere else.',
    parts: [
      'The password for your account was changed, and you were signed out everywhere else.',
      'If this wasn’t you, reset your password now.',
    ],
    button: { label: 'Reset password', url },
  }),
  sample: sampleReset,
})
