import { signInAsked } from '../../../program/auth/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { nameOr, toUser } from '../message.ts'
import { findUser } from '../queries.ts'
import { userMailPhrases } from '../user-text.ts'

const words = userMailPhrases.singleSignOn

/** To a person who asked for a link, but whose only way in is single sign-on. */
export const singleSignOnMail = defineMail({
  group: 'security',
  title: 'Sign in with single sign-on',
  description: 'A link was requested for someone whose only way in is single sign-on.',
  when: onSignal(signInAsked, ({ userId }, { id }) => [{ id, userId }]),
  async read({ db, config }, { userId }) {
    const user = await findUser(db, userId)
    if (!user || !config.oidc) return null
    return { ...user, data: { name: config.oidc.name, url: `${config.appUrl}/auth/sign-in` } }
  },
  write({ name: given, url }) {
    const name = nameOr(given, words.name)
    return {
      ...toUser(null),
      subject: words.subject({ name }),
      preview: words.preview,
      parts: [words.text({ name }), words.help],
      button: { label: userMailPhrases.signIn, url },
    }
  },
  sample: { name: 'Okta', url: 'https://partners.example.com/auth/sign-in' },
})
