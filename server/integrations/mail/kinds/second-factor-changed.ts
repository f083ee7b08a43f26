import { homeUrl } from '../../../program/auth/home-url.ts'
import { secondFactorChanged } from '../../../program/auth/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'
import { findUser } from '../queries.ts'
import { userMailPhrases } from '../user-text.ts'

const words = userMailPhrases.secondFactor

type Change = { change: 'added' | 'removed' | 'reset' | 'codes'; method: 'totp' | 'passkey' | null }

function sentenceOf({ change, method }: Change) {
  if (change === 'reset' || change === 'codes') return words[change]
  return method ? words[change][method] : ''
}

export const secondFactorChangedMail = defineMail({
  group: 'security',
  title: 'Second factor changed',
  description: 'An authenticator app or a passkey was added or removed, or recovery codes were replaced.',
  when: onSignal(secondFactorChanged, (changed, { id }) => [{ id, ...changed }]),
  async read({ db, config }, { userId, change, method }) {
    const user = await findUser(db, userId)
    return user && { ...user, data: { change, method, url: `${await homeUrl(db, config, userId)}/user/profile` } }
  },
  write({ change, method, url }) {
    const sentence = sentenceOf({ change, method })
    return {
      ...toUser(null),
      subject: sentence,
      preview: userMailPhrases.actNow,
      parts: [change === 'reset' ? words.resetText : `${sentence}.`, words.help],
      button: { label: userMailPhrases.reviewSignIn, url },
    }
  },
  sample: { change: 'added', method: 'totp', url: 'https://partners.example.com/user/profile' },
})
