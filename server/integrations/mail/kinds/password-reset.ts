import { homeUrl } from '../../../program/auth/home-url.ts'
import { resetUrl, signInToken } from '../../../program/auth/link-requests.ts'
import { resetRequested } from '../../../program/auth/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'
import { findReset } from '../queries.ts'
import { userMailPhrases } from '../user-text.ts'

const words = userMailPhrases.passwordReset

export const passwordReset = defineMail({
  group: 'security',
  title: 'Password reset',
  description: 'A password reset was requested.',
  when: onSignal(resetRequested, ({ resetId, askedAt }) => [{ id: resetId, ...(askedAt && { askedAt }) }]),
  async read(services, { id, askedAt }) {
    const reset = await findReset(services.db, id)
    if (!reset?.open) return null
    const { db, config, secrets } = services
    const origin = await homeUrl(db, config, reset.userId, askedAt)
    // an unverified mailbox may have been set up by another person, whom only a new password locks out
    const signInUrl = reset.verified ? `${origin}/auth/sign-in#token=${signInToken(secrets, id)}` : null
    return { to: reset.email, language: reset.language, data: { url: resetUrl(origin, secrets, id), signInUrl } }
  },
  write: ({ url, signInUrl }) => ({
    ...toUser(null),
    subject: words.subject,
    preview: words.preview,
    parts: [words.asked, words.linkWorks],
    button: { label: words.choose, url },
    showsLink: true,
    ...(signInUrl && {
      other: {
        label: userMailPhrases.signIn,
        url: signInUrl,
        help: words.signInHelp,
      },
    }),
  }),
  sample: {
    url: 'https://partners.example.com/auth/reset-password#token=sample',
    signInUrl: 'https://partners.example.com/auth/sign-in#token=sample',
  },
})
