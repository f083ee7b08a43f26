import { userAuthor } from '../server/platform/author.ts'
import type { Transaction } from '../server/platform/database/pool.ts'
import { addDays, dayIn } from '../server/platform/time/days.ts'
import { acceptAgreement } from '../server/program/agreement/accept.ts'
import { publishAgreement } from '../server/program/agreement/versions.ts'
import { type Harbor, type Story, toMoment } from './story.ts'

/** Days before today at which the versions were published, and accepted by most. */
const DAYS = { first: 60, second: 21, accepted: 1 }
/** Days from publishing the second version until payouts wait for it, from today. */
const NOTICE = 21

const text = [
  '# What you may do',
  'Recommend Harbor Analytics by your link, in your own words, wherever you have readers of your own.',
  '# What you may not do',
  '- Buy ads on our name\n- Send mail to people who did not ask for it',
  '# How it ends',
  'You may leave at any time. What you have earned by then is paid.',
]
const second = [...text.slice(0, 3), `${text[3]}\n- Offer coupons of your own`, ...text.slice(4)]

/** Plans two versions of the agreement; a few partners wait to accept the second. */
export function planAgreement(story: Story, { id: accountId, account, owner }: Harbor) {
  const { course } = story
  course.at(toMoment(story, DAYS.first), async (tx) => {
    await publishAgreement(tx, userAuthor(owner), account, { text: text.join('\n\n') })
    await acceptAs(tx, accountId, await joined(tx, accountId), 1)
  })
  course.at(toMoment(story, DAYS.second), async (tx) => {
    await publishAgreement(tx, userAuthor(owner), account, {
      text: second.join('\n\n'),
      changes: 'Coupons of your own are no longer allowed.',
      requiredFrom: addDays(dayIn(account.timeZone, tx.now), NOTICE),
    })
  })
  course.at(toMoment(story, DAYS.accepted), async (tx) => {
    // the newest of those who sign in waits, and so do those who are only invited
    const [, ...others] = await joined(tx, accountId)
    await acceptAs(tx, accountId, others, 2)
  })
}

type Joined = { partnerId: string; userId: string }

/** Partners who sign in, the newest first. */
const joined = (tx: Transaction, accountId: string) => tx.many<Joined>`
  select id as partner_id, user_id from partners
  where account_id = ${accountId} and state <> 'archived' and user_id is not null order by created_at desc, id`

async function acceptAs(tx: Transaction, accountId: string, partners: Joined[], version: number) {
  for (const { partnerId, userId } of partners)
    await acceptAgreement(tx, userAuthor({ userId }), { accountId, partnerId }, { userId, version })
}
