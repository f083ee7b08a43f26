import { homeUrl } from '../../../program/auth/home-url.ts'
import { recoveryCodeUsed } from '../../../program/auth/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'
import { findUser } from '../queries.ts'
import { userMailPhrases } from '../user-text.ts'

const words = userMailPhrases.recoveryCode

export const recoveryCodeUsedMail = defineMail({
  group: 'security',
  title: 'Recovery code used',
  description: 'A recovery code was used to sign in.',
  when: onSignal(recoveryCodeUsed, (used, { id }) => [{ id, ...used }]),
  async read({ db, config }, { userId, left }) {
    const user = await findUser(db, userId)
    return user && { ...user, data: { left, url: `${await homeUrl(db, config, userId)}/user/profile` } }
  },
  write: ({ left, url }) => ({
    ...toUser(null),
    subject: words.subject,
    preview: userMailPhrases.actNow,
    parts: [left > 0 ? words.used({ count: left }) : words.last, words.help],
    button: { label: userMailPhrases.reviewSignIn, url },
  }),
  sample: { left: 7, url: 'https://partners.example.com/user/profile' },
})
