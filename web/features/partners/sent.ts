import type { Invitation } from '#contract/auth.ts'
import { t } from '../../words.ts'

/** Returns the outcome of sending an invitation; without a mail server it never claims that one was sent. */
export function sentInWords({ url, mailed }: Pick<Invitation, 'url' | 'mailed'>, owns = true) {
  if (url) return t('partners.invite.newLink')
  if (mailed) return t('toast.invitationSent')
  return t(owns ? 'partners.invite.kept' : 'partners.ownerPassesLink')
}
