import { countInWords } from '../../../platform/format-values.ts'
import { homeUrl } from '../../../program/auth/home-url.ts'
import { recoveryCodeUsed } from '../../../program/auth/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'
import { findUser } from '../queries.ts'

export const recoveryCodeUsedMail = defineMail({
  group: 'security',
  title: 'Recovery code used',
  description: 'A recovery code was used to sign in.',
  when: onSignal(recoveryCodeUsed, (used, { id }) => [{ id, ...used }]),
  async read({ db, config }, { userId, left }) {
    const user = await findUser(db, userId)
    return user && { to: user.email, data: { left, url: `${await homeUrl(db, config, userId)}/user/profile` } }
  },
  write: ({ left, url }) => ({
    ...toUser(null),
    subject: 'A recovery code was used to sign in',
    preview: 'If this wasn’t you, act now.',
    parts: [
      left > 0
        ? `Someone signed in to your account with one of your recovery codes. You have ${countInWords(left, 'code')} left.`
        : 'Someone signed in to your account with your last recovery code. Create new ones on your profile.',
      'If this wasn’t you, change your password and replace your recovery codes now.',
    ],
    button: { label: 'Review your sign-in', url },
  }),
  sample: { left: 7, url: 'https://partners.example.com/user/profile' },
})
