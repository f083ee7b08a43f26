import { homeUrl } from '../../../program/auth/home-url.ts'
import { resetUrl, signInToken } from '../../../program/auth/link-requests.ts'
import { resetRequested } from '../../../program/auth/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { toUser } from '../message.ts'
import { findReset } from '../queries.ts'

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
    return { to: reset.email, data: { url: resetUrl(origin, secrets, id), signInUrl } }
  },
  write: ({ url, signInUrl }) => ({
    ...toUser(null),
    subject: 'Reset your password',
    preview: 'The link works once, for 60 minutes.',
    parts: [
      'Someone, probably you, asked to reset the password for this email address.',
      'The link works once, for 60 minutes. If this wasn’t you, ignore this email. Your password won’t change.',
    ],
    button: { label: 'Choose a new password', url },
    showsLink: true,
    ...(signInUrl && {
      other: {
        label: 'Sign in',
        url: signInUrl,
        help: 'To keep your password, sign in with this link. It works once, for 15 minutes.',
      },
    }),
  }),
  sample: {
    url: 'https://partners.example.com/auth/reset-password#token=sample',
    signInUrl: 'https://partners.example.com/auth/sign-in#token=sample',
  },
})
