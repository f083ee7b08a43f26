import { sessionReused } from '../../../program/auth/signals.ts'
import { becauseUser } from '../letter.ts'
import { mail, on } from '../mail.ts'
import { findUser } from '../queries.ts'

export const sessionEnded = mail({
  group: 'security',
  title: 'Session ended',
  description: 'A session was ended because its token was used twice.',
  when: on(sessionReused, ({ sessionId, userId }) => [{ id: sessionId, userId }]),
  async read({ db, config }, { userId }) {
    const user = await findUser(db, userId)
    return user && { to: user.email, data: { url: `${config.appUrl}/auth/reset-password` } }
  },
  write: ({ url }) => ({
    account: null,
    subject: 'We ended one of your sessions',
    preview: 'Someone may have copied its sign-in token.',
    parts: [
      'A sign-in token from one of your sessions was used twice. Someone may have copied it, so we ended that session.',
      'If this happens again, or you don’t know why it happened, reset your password.',
    ],
    button: { label: 'Reset password', url },
    because: becauseUser,
  }),
  sample: { url: 'https://partners.example.com/auth/reset-password' },
})
