import { copyText } from '../ui/copy.ts'
import { showToast } from '../ui/toasts.ts'
import { partnerWords } from '../words/partners.ts'

/** Says that an invitation has a new link, and offers it: without a mail server nobody else passes it on. */
export const offerNewLink = (url: string) =>
  showToast(partnerWords.invite.newLink, {
    action: { label: partnerWords.invite.copyLink, run: () => void copyText(url) },
  })
