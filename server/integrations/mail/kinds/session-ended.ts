import { sessionReused } from '../../../program/auth/signals.ts'
import { readUser, sampleReset } from '../about/reset-password.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'

export const sessionEnded = defineMail({
  group: 'security',
  title: 'Session ended',
  description: 'A session was ended because its token was used twice.',
  when: onSignal(sessionReused, ({ sessionId, userId }) => [{ id: sessionId, userId }]),
  read: (services, { userId }) => readUser(services, userId),
  write: ({ url }) => ({
    ...toUser(null),
    subject: 'We ended one of your sessions',
    preview: 'Someone may have copied its sign-in token.',
    parts: [
      'A sign-in token from one of your sessions was used twice. Someone may have copied it, so we ended that session.',
      'If this happens again, or you don’t know why it happened, reset your password.',
    ],
    button: { label: 'Reset password', url },
  }),
  sample: sampleReset,
})
