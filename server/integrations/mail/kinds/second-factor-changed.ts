import { homeUrl } from '../../../program/auth/home-url.ts'
import { secondFactorChanged } from '../../../program/auth/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'
import { findUser } from '../queries.ts'

const things = { totp: 'An authenticator app', passkey: 'A passkey' } as const

function sentenceOf(change: 'added' | 'removed' | 'reset' | 'codes', thing: string) {
  if (change === 'added') return `${thing} was added to your sign-in`
  if (change === 'removed') return `${thing} was removed from your sign-in`
  return change === 'reset' ? 'Your second factor was reset' : 'Your recovery codes were replaced'
}

export const secondFactorChangedMail = defineMail({
  group: 'security',
  title: 'Second factor changed',
  description: 'An authenticator app or a passkey was added or removed, or recovery codes were replaced.',
  when: onSignal(secondFactorChanged, (changed, { id }) => [{ id, ...changed }]),
  async read({ db, config }, { userId, change, method }) {
    const user = await findUser(db, userId)
    return (
      user && { to: user.email, data: { change, method, url: `${await homeUrl(db, config, userId)}/user/profile` } }
    )
  },
  write({ change, method, url }) {
    const sentence = sentenceOf(change, method ? things[method] : '')
    return {
      ...toUser(null),
      subject: sentence,
      preview: 'If this wasn’t you, act now.',
      parts: [
        change === 'reset'
          ? 'The people who run this server removed your authenticator app and passkeys. You were signed out everywhere, and sign in with your password alone until you set up a second factor again.'
          : `${sentence}.`,
        'If this wasn’t you, change your password now and tell the people who run this server.',
      ],
      button: { label: 'Review your sign-in', url },
    }
  },
  sample: { change: 'added', method: 'totp', url: 'https://partners.example.com/user/profile' },
})
