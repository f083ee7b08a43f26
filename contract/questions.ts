import { z } from 'zod'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { Id, Instant, listQuery, pageSchema, requiredText } from './values.ts'

/** A question to the partner of a case or claim, and their answer. */
export const questionFields = {
  question: z.string().nullable(),
  askedAt: Instant.nullable(),
  answer: z.string().nullable(),
  answeredAt: Instant.nullable(),
}

/** A question of the account to a partner. `about`: their claim, in words; null if they must not learn of it. */
export const PartnerQuestion = z
  .object({
    id: Id,
    about: z.string().nullable(),
    question: z.string(),
    askedAt: Instant,
    answer: z.string().nullable(),
    answeredAt: Instant.nullable(),
  })
  .meta({ id: 'PartnerQuestion' })
export type PartnerQuestion = z.infer<typeof PartnerQuestion>

export const NewQuestion = z.strictObject({ text: requiredText(1000) })
export const NewAnswer = z.strictObject({ questionId: Id, text: requiredText(1000) })

export const listQuestions = endpoint('listQuestions', 'GET /partners/:id/questions', {
  summary: 'List the open questions of the account to a partner',
  tag: 'partners',
  allow: rights.partner,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery({}),
  reply: pageSchema(PartnerQuestion),
})

export const answerQuestion = endpoint('answerQuestion', 'POST /partners/:id/answers', {
  summary: 'Answer a question of the account, once',
  tag: 'partners',
  allow: rights.partner,
  inPortal: true,
  whileInactive: true,
  limit: apiLimit,
  subject: 'partner',
  body: NewAnswer,
  reply: PartnerQuestion,
})
