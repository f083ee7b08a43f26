import { passwordChanged as changed } from '../../../program/auth/signals.ts'
import { becauseUser } from '../letter.ts'
import { mail, on } from '../mail.ts'
import { findUser } from '../queries.ts'

export const passwordChanged = mail({
  group: 'security',
  title: 'Password changed',
  description: 'A password was changed.',
  when: on(changed, ({ userId }, { id }) => [{ id, userId }]),
  async read({ db, config }, { userId }) {
    const user = await findUser(db, userId)
    return user && { to: user.email, data: { url: `${config.appUrl}/auth/reset-password` } }
  },
  write: ({ url }) => ({
    account: null,
    subject: 'Your password was changed',
    preview: 'You were signed out everywhere else.',
    parts: [
      'The password for your account was changed, and you were signed out everywhere else.',
      'If this wasn’t you, reset your password now.',
    ],
    button: { label: 'Reset password', url },
    because: becauseUser,
  }),
  sample: { url: 'https://partners.example.com/auth/reset-password' },
})
