import type * as room from '../questions.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

const waiting = {
  id: ids.case,
  about: 'Order A-1001',
  question: 'Which email did they buy with?',
  askedAt: '2026-08-20T12:00:00.000Z',
}
const answer = { answer: 'The one of their accounting.', answeredAt: '2026-08-20T15:30:00.000Z' }

export const questions: ExamplesOf<typeof room> = {
  listQuestions: { reply: onlyPage({ ...waiting, answer: null, answeredAt: null }) },
  answerQuestion: {
    refused: ['question_answered', 'question_closed', 'erased'],
    body: { questionId: waiting.id, text: answer.answer },
    reply: { ...waiting, ...answer },
  },
}
