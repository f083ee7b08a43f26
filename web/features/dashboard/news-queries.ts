import { listQuestions } from '#contract/questions.ts'
import { listPartnerAnnouncements } from '#features/announcements/contract.ts'
import { apiPagesQuery, apiQuery } from '../../calls.ts'

/** The newest note of a partner. */
export const latestNewsQuery = (partnerId: string) =>
  apiQuery(listPartnerAnnouncements, { params: { id: partnerId }, query: { limit: 1 } })

/** All notes of a partner. */
export const allNewsQuery = (partnerId: string) =>
  apiPagesQuery(listPartnerAnnouncements, { params: { id: partnerId }, query: { limit: 20 } })

/** The account's open questions to a partner. */
export const questionsQuery = (partnerId: string) =>
  apiQuery(listQuestions, { params: { id: partnerId }, query: { limit: 100 } })
