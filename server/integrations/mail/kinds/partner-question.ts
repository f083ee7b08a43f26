import { parseProse } from '#contract/prose.ts'
import { oneLine } from '../../../platform/format-values.ts'
import { findPresentOwner } from '../../../program/auth/invitation-queries.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { findQuestion } from '../../../program/questions/answer.ts'
import { partnerAsked } from '../../../program/questions/ask.ts'
import { askings } from '../../questions.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, type Part, toPartner } from '../message.ts'
import { partnerRecipient } from '../news-queries.ts'
import { programMailPhrases } from '../program-text.ts'
import { findAccount } from '../queries.ts'

const words = programMailPhrases.question

export const partnerQuestion = defineMail({
  group: 'reminders',
  title: 'Question',
  description: 'An owner asks a partner a question.',
  when: onSignal(partnerAsked, ({ questionId: id, partnerId }, { accountId }) => [
    { id, accountId: accountId!, partnerId },
  ]),
  async read({ db, config }, asked) {
    const { accountId, partnerId } = asked
    const account = await findAccount(db, accountId)
    const partner = account && (await partnerRecipient(db, accountId, partnerId))
    const found = partner && (await findQuestion(db, askings, asked))
    if (!found) return null
    if (account.disabledAt) return 'later'
    return {
      ...partner,
      causedBy: accountId,
      replyTo: (await findPresentOwner(db, accountId))?.email,
      data: {
        accountName: account.name,
        get about() {
          return found.about
        },
        question: found.question,
        url: `${portalUrl(config, account)}/dashboard`,
      },
    }
  },
  write(data) {
    const { accountName, question, url } = data
    const account = accountFirst(accountName)
    return {
      ...toPartner(accountName),
      subject: words.subject({ account }),
      preview: oneLine(question).slice(0, 150),
      parts: [
        words.asks({ account }),
        { prose: parseProse(oneLine(question)) },
        ...listAbout(data),
        words.pleaseAnswer,
      ],
      button: { label: words.answer, url },
    }
  },
  editable: { kind: () => 'partner-question', values: ({ question }) => ({ question }), details: listAbout },
  sample: {
    accountName: 'Northwind',
    about: 'Order A-1001',
    question: 'Which email did they buy with?',
    url: 'https://partners.example.com/dashboard',
  },
})

/** Lists what the question is about, if the partner may know. */
function listAbout({ about }: { about: string | null }): Part[] {
  return about ? [{ facts: [{ label: words.about, value: about, note: null }] }] : []
}
