import type { Invitation } from '#contract/auth.ts'
import { t } from '../../words.ts'

/** What became of an invitation that was just sent. Where no mail can leave, never says that one did. */
export function sentInWords({ url, mailed }: Pick<Invitation, 'url' | 'mailed'>, owns = true) {
  if (url) return t('partners.invite.newLink')
  if (mailed) return t('toast.invitationSent')
  return t(owns ? 'partners.invite.kept' : 'partners.ownerPassesLink')
}
