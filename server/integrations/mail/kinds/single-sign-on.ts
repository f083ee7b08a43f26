import { signInAsked } from '../../../program/auth/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { nameOr, toUser } from '../message.ts'
import { findUser } from '../queries.ts'

/** To a person who asked for a link, but whose only way in is single sign-on. */
export const singleSignOnMail = defineMail({
  group: 'security',
  title: 'Sign in with single sign-on',
  description: 'A link was requested for someone whose only way in is single sign-on.',
  when: onSignal(signInAsked, ({ userId }, { id }) => [{ id, userId }]),
  async read({ db, config }, { userId }) {
    const user = await findUser(db, userId)
    if (!user || !config.oidc) return null
    return { to: user.email, data: { name: config.oidc.name, url: `${config.appUrl}/auth/sign-in` } }
  },
  write: ({ name, url }) => ({
    ...toUser(null),
    subject: `Sign in with ${nameOr(name, 'single sign-on')}`,
    preview: 'You don’t need a password here.',
    parts: [
      `You asked for a link to sign in. Your company signs you in with ${nameOr(name, 'single sign-on')}, so there is no password to reset.`,
      'If you didn’t ask for it, you can ignore this email.',
    ],
    button: { label: 'Sign in', url },
  }),
  sample: { name: 'Okta', url: 'https://partners.example.com/auth/sign-in' },
})
