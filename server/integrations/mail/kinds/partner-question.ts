import { parseProse } from '#contract/prose.ts'
import { oneLine } from '../../../platform/format-values.ts'
import { findPresentOwner } from '../../../program/auth/invitation-queries.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { questionFor } from '../../../program/fraud-cases/cases.ts'
import { partnerAsked } from '../../../program/fraud-cases/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'
import { partnerRecipient } from '../news-queries.ts'
import { findAccount } from '../queries.ts'

export const partnerQuestion = defineMail({
  group: 'reminders',
  title: 'Question',
  description: 'An owner asks a partner a question.',
  when: onSignal(partnerAsked, ({ caseId: id, partnerId }, { accountId }) => [
    { id, accountId: accountId!, partnerId },
  ]),
  async read({ db, config }, asked) {
    const { accountId, partnerId } = asked
    const account = await findAccount(db, accountId)
    const partner = account && (await partnerRecipient(db, accountId, partnerId))
    const found = partner && (await questionFor(db, asked))
    if (!found) return null
    if (account.disabledAt) return 'later'
    return {
      to: partner.email,
      userId: partner.userId,
      causedBy: accountId,
      replyTo: (await findPresentOwner(db, accountId))?.email,
      data: { accountName: account.name, question: found.question, url: `${portalUrl(config, account)}/dashboard` },
    }
  },
  write({ accountName, question, url }) {
    const account = accountFirst(accountName)
    return {
      ...toPartner(accountName),
      subject: `${account} has a question for you`,
      preview: oneLine(question).slice(0, 150),
      parts: [`${account} asks:`, { prose: parseProse(oneLine(question)) }, 'Please answer on your dashboard.'],
      button: { label: 'Answer', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    question: 'How did you meet this customer?',
    url: 'https://partners.example.com/dashboard',
  },
})
