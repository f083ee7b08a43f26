import { holdsAddress } from '#contract/values.ts'

type Link = { label: string; url: string }

/** A mail before it has an address: plain paragraphs, one thing to press, and another way beside it. */
export type Letter = { subject: string; paragraphs: string[]; button?: Link; other?: Link & { help: string } }

type Invitation = {
  kind: 'administrator' | 'owner' | 'partner'
  accountName: string | null
  invitedBy: string | null
  firstName: string | null
  isUser: boolean
  url: string
}

/** Names come from people we do not know: one that holds an address is left out, so that our mails carry only our own. */
const sayable = (name: string | null) => (name === null || holdsAddress(name) ? null : name)

export function invitationLetter({ kind, isUser, url, ...names }: Invitation): Letter {
  const account = sayable(names.accountName) ?? 'Tributary'
  const [invitedBy, firstName] = [sayable(names.invitedBy), sayable(names.firstName)]
  const role =
    kind === 'owner' ? `to manage the referral program of ${account}` : `to the partner program of ${account}`
  return {
    subject:
      kind === 'owner' ? `Set up ${account} on Tributary` : `Your invitation to the partner program of ${account}`,
    paragraphs: [
      firstName ? `Hello ${firstName},` : 'Hello,',
      `${invitedBy ?? account} invites you ${role}.`,
      isUser
        ? 'You already have a login. Sign in with this email address and accept the invitation.'
        : 'Choose a password to get started.',
      'The link works for 7 days. If you weren’t expecting this invitation, you can ignore this email.',
    ],
    button: { label: isUser ? 'Accept invitation' : 'Set up your account', url },
  }
}

/** `signInUrl` signs in once, for who knows the password but is kept waiting by the failures of others. */
export const resetLetter = (url: string, signInUrl: string | null): Letter => ({
  subject: 'Reset your password',
  paragraphs: [
    'Someone, probably you, asked to reset the password for this email address.',
    'The link works once, for 60 minutes. If this wasn’t you, ignore this email. Your password won’t change.',
  ],
  button: { label: 'Choose a new password', url },
  ...(signInUrl && {
    other: {
      label: 'Sign in',
      url: signInUrl,
      help: 'To keep your password, sign in with this link. It works once, for 15 minutes.',
    },
  }),
})

export const passwordChangedLetter = (url: string): Letter => ({
  subject: 'Your password was changed',
  paragraphs: [
    'The password for your account was changed, and you were signed out everywhere else.',
    'If this wasn’t you, reset your password now.',
  ],
  button: { label: 'Reset password', url },
})

export const sessionEndedLetter = (url: string): Letter => ({
  subject: 'We ended one of your sessions',
  paragraphs: [
    'A sign-in token from one of your sessions was used twice. Someone may have copied it, so we ended that session.',
    'If this happens again, or you don’t know why it happened, reset your password.',
  ],
  button: { label: 'Reset password', url },
})

export const payoutSettingsLetter = (accountName: string, url: string): Letter => ({
  subject: 'Your payout details were changed',
  paragraphs: [
    `The bank details for your payouts from ${sayable(accountName) ?? 'your partner program'} were replaced or removed.`,
    'Automatic payouts pause for the next 72 hours. If this wasn’t you, reset your password and contact the program right away.',
  ],
  button: { label: 'Review payout details', url },
})

type Webhook = { name: string; url: string; accountName: string }

export const webhookFailingLetter = (webhook: Webhook, failures: number, url: string): Letter => ({
  subject: `Your webhook ${named(webhook)} is failing`,
  paragraphs: [
    `The last ${failures} delivery attempts to the webhook ${named(webhook)} of ${sayable(webhook.accountName) ?? 'your account'} failed.`,
    'Deliveries are retried automatically. After 20 failures in a row the webhook is turned off; you can resend what failed.',
  ],
  button: { label: 'Review deliveries', url },
})

export const webhookTurnedOffLetter = (webhook: Webhook & { reason: string }, url: string): Letter => ({
  subject: `Your webhook ${named(webhook)} was turned off`,
  paragraphs: [
    `The webhook ${named(webhook)} of ${sayable(webhook.accountName) ?? 'your account'} was turned off. ${webhook.reason}`,
    'Nothing is lost: events that happen while it is off stand in its log as failed. Turn it on once the receiver works, then resend them.',
  ],
  button: { label: 'Review deliveries', url },
})

const named = ({ name }: Webhook) => sayable(name) ?? 'of your account'

export const textOf = ({ paragraphs, button, other }: Letter) => {
  const pressed = (link: Link) => `${link.label}: ${link.url}`
  const parts = [...paragraphs.map(oneLine), button && pressed(button), other?.help, other && pressed(other)]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

export function htmlOf({ subject, paragraphs, button, other }: Letter) {
  const body = paragraphs.map((paragraph) => `<p>${escaped(oneLine(paragraph))}</p>`)
  if (button)
    body.push(
      `<p><a href="${escaped(button.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1f2937;color:#ffffff;text-decoration:none">${escaped(button.label)}</a></p>`,
      `<p style="color:#6b7280;font-size:13px">${escaped(button.url)}</p>`,
    )
  if (other) body.push(`<p>${escaped(other.help)}<br><a href="${escaped(other.url)}">${escaped(other.label)}</a></p>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(oneLine(subject))}</title></head><body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#111827;max-width:560px;margin:24px auto;padding:0 16px">${body.join('')}</body></html>\n`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)

/** Names come from people: none may begin a new header or paragraph. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
