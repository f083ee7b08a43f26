import { copyText } from '../ui/copy.ts'
import { showToast } from '../ui/toasts.ts'
import { partnerWords } from '../words/partners.ts'

/** Reports an invitation's new link and offers to copy it: without a mail server nothing else passes it on. */
export const offerNewLink = (url: string) =>
  showToast(partnerWords.invite.newLink, {
    action: { label: partnerWords.invite.copyLink, run: () => void copyText(url) },
  })
