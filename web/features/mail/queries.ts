import {
  getLoggedMail,
  getMailPreview,
  getMailStatus,
  type LoggedMail,
  listLoggedMails,
  listMailPreviews,
} from '#contract/mail.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'

export const mailTabs = ['log', 'previews'] as const
export type MailTab = (typeof mailTabs)[number]

/** Poll intervals for a mail's state. */
const AGAIN_MS = 2000
const SOON_MS = 500

export const mailStatusQuery = apiQuery(getMailStatus)
export const previewsQuery = apiQuery(listMailPreviews)
export const mailPreviewQuery = (kind: string) => apiQuery(getMailPreview, { params: { kind } })

/** Polls while any mail is waiting and the page is visible. */
export const mails = defineList(listLoggedMails, 'mails', {
  filters: ['state', 'kind'],
  again: (page) => page?.items.some(({ state }) => state === 'waiting') && AGAIN_MS,
})(undefined)

export const mailQuery = (id: string) => apiQuery(getLoggedMail, { params: { id } })

/** Polls until the mail's result is known. */
export const awaitedMail = (id: string) => ({
  ...mailQuery(id),
  refetchInterval: ({ state: { data } }: { state: { data?: LoggedMail } }) =>
    !data || data.state === 'waiting' ? SOON_MS : (false as const),
})

export const readsOfMail = ({ search }: Opened): Reads => {
  if (search.tab !== 'previews') return [mailStatusQuery, previewsQuery, mails.at(search)]
  return [mailStatusQuery, previewsQuery, typeof search.delivery === 'string' && mailPreviewQuery(search.delivery)]
}
