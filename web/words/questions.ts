import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of a question to a partner. */
export const questionWords = defineWords('question', 'partner', {
  question: 'Question',
  send: 'Send question',
  sent: 'Question sent',
  asked: 'You asked',
  waiting: ({ partner }: { partner: Word }) => `${partner} hasn’t answered yet.`,
  from: ({ account }: { account: Word }) => `A question from ${account}`,
  answer: 'Answer',
  yourAnswer: 'Your answer',
  sendAnswer: 'Send answer',
  answerSent: 'Answer sent',
})
