import type { Invitation } from '#contract/auth.ts'
import { partnerWords } from '../../words/partners.ts'
import { toastWords } from '../../words/shell.ts'

/** Returns the outcome of sending an invitation; without a mail server it never claims that one was sent. */
export function sentInWords({ url, mailed }: Pick<Invitation, 'url' | 'mailed'>, owns = true) {
  if (url) return partnerWords.invite.newLink
  if (mailed) return toastWords.invitationSent
  return owns ? partnerWords.invite.kept : partnerWords.ownerPassesLink
}
