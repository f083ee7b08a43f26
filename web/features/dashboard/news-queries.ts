import { listPartnerAnnouncements } from '#contract/announcements.ts'
import { listQuestions } from '#contract/fraud-cases.ts'
import { pagesOf, read } from '../../calls.ts'

/** The newest note of a partner. */
export const latestNews = (partnerId: string) =>
  read(listPartnerAnnouncements, { params: { id: partnerId }, query: { limit: 1 } })

/** All notes of a partner. */
export const allNews = (partnerId: string) =>
  pagesOf(listPartnerAnnouncements, { params: { id: partnerId }, query: { limit: 20 } })

/** The account's open questions to a partner. */
export const questionsOf = (partnerId: string) =>
  read(listQuestions, { params: { id: partnerId }, query: { limit: 100 } })
