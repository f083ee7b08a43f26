import { moneyInWords } from '#contract/money.ts'
import { instantInWords } from '../../../platform/format-values.ts'
import { usersById } from '../../../program/auth/users.ts'
import { findLimits } from '../../../program/payouts/limits.ts'
import { approvalsLoosened } from '../../../program/payouts/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName, nameOr, toUser } from '../message.ts'
import { findAccount, findUser } from '../queries.ts'

/** To each person who may pay, before larger payouts need only one of them. */
export const approvalsLoosenedMail = defineMail({
  group: 'security',
  title: 'Approval by two people loosened',
  description: 'Larger payouts will need the approval of one person only.',
  when: onSignal(approvalsLoosened, (loosened, { id, accountId }) => [{ id, accountId: accountId!, ...loosened }]),
  async read({ db, config }, { accountId, userId, byUserId, inForceAt }) {
    const [user, people, account] = await Promise.all([
      findUser(db, userId),
      usersById(db, [byUserId]),
      findAccount(db, accountId),
    ])
    const by = people.get(byUserId)
    const limits = await findLimits(db, accountId)
    // withdrawn or changed meanwhile
    if (!user || !account || limits?.pending?.inForceAt !== inForceAt) return null
    const inWords = (amount: number | null) => amount !== null && moneyInWords(amount, account.defaultCurrency)
    return {
      to: user.to,
      data: {
        accountName: account.name,
        by: [by?.firstName, by?.lastName].filter(Boolean).join(' '),
        from: inWords(limits.maxPerPayout) || '',
        to: inWords(limits.pending.maxPerPayout) || null,
        approvals: limits.pending.approvals,
        day: instantInWords(new Date(inForceAt)),
        url: `${config.appUrl}/account/settings?tab=payouts`,
      },
    }
  },
  write({ accountName, by, from, to, approvals, day, url }) {
    const account = formatAccountName(accountName)
    const change =
      approvals === 2
        ? `two people approve a payout only above ${to}, no longer above ${from}`
        : `one person is enough to approve a payout above ${from}`
    return {
      ...toUser(accountName),
      subject: `Fewer payouts of ${account} will need two people`,
      preview: `From ${day}, unless an owner withdraws it.`,
      parts: [
        `${nameOr(by, 'An owner')} changed the payout settings of ${account}: from ${day}, ${change}.`,
        'If you don’t expect this, ask an owner to withdraw it before then.',
      ],
      button: { label: 'Open payout settings', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    by: 'Elena Marsh',
    from: '$2,000.00',
    to: null,
    approvals: 1,
    day: 'Nov 29, 2026 at 10:00:00 AM UTC',
    url: 'https://partners.example.com/account/settings?tab=payouts',
  },
})
