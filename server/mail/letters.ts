/** A mail before it has an address: plain paragraphs, and at most one thing to press. */
export type Letter = { subject: string; paragraphs: string[]; button?: { label: string; url: string } }

type Invitation = {
  kind: 'administrator' | 'owner' | 'partner'
  accountName: string | null
  invitedBy: string | null
  firstName: string | null
  isUser: boolean
  url: string
}

export function invitationLetter({ kind, accountName, invitedBy, firstName, isUser, url }: Invitation): Letter {
  const account = accountName ?? 'Tributary'
  const role =
    kind === 'owner' ? `to manage the referral program of ${account}` : `to the partner program of ${account}`
  return {
    subject:
      kind === 'owner' ? `Set up ${account} on Tributary` : `Your invitation to the partner program of ${account}`,
    paragraphs: [
      firstName ? `Hello ${firstName},` : 'Hello,',
      `${invitedBy ?? account} invites you ${role}.`,
      isUser
        ? 'You have a password already: sign in with this e-mail address and accept the invitation.'
        : 'Choose a password to get started.',
      'The link works for 7 days. If you did not expect this invitation, you can ignore this mail.',
    ],
    button: { label: isUser ? 'Accept invitation' : 'Set up your account', url },
  }
}

export const resetLetter = (url: string): Letter => ({
  subject: 'Reset your password',
  paragraphs: [
    'Somebody, probably you, asked for a new password for this e-mail address.',
    'The link works once, for 60 minutes. If it was not you, ignore this mail: your password stays as it is.',
  ],
  button: { label: 'Choose a new password', url },
})

export const passwordChangedLetter = (url: string): Letter => ({
  subject: 'Your password was changed',
  paragraphs: [
    'The password of your account was changed, and you were signed out everywhere else.',
    'If it was not you, reset your password now.',
  ],
  button: { label: 'Reset password', url },
})

export const sessionEndedLetter = (url: string): Letter => ({
  subject: 'We ended one of your sessions',
  paragraphs: [
    'A key of one of your sessions was used a second time. Somebody may have copied it, so we ended that session.',
    'If this goes on, or you do not know why it happened, reset your password.',
  ],
  button: { label: 'Reset password', url },
})

export const payoutSettingsLetter = (accountName: string, url: string): Letter => ({
  subject: 'Your payout details were changed',
  paragraphs: [
    `The bank details for your payouts from ${accountName} were replaced or removed.`,
    'For the next 72 hours nothing is paid out automatically. If it was not you, reset your password and tell the program at once.',
  ],
  button: { label: 'Review payout details', url },
})

export const textOf = ({ paragraphs, button }: Letter) =>
  `${[...paragraphs.map(oneLine), ...(button ? [`${button.label}: ${button.url}`] : [])].join('\n\n')}\n`

export function htmlOf({ subject, paragraphs, button }: Letter) {
  const body = paragraphs.map((paragraph) => `<p>${escaped(oneLine(paragraph))}</p>`)
  if (button)
    body.push(
      `<p><a href="${escaped(button.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1f2937;color:#ffffff;text-decoration:none">${escaped(button.label)}</a></p>`,
      `<p style="color:#6b7280;font-size:13px">${escaped(button.url)}</p>`,
    )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(oneLine(subject))}</title></head><body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#111827;max-width:560px;margin:24px auto;padding:0 16px">${body.join('')}</body></html>\n`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)

/** Names come from people: none may begin a new header or paragraph. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
