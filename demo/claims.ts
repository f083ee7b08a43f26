import { refuseClaim } from '#features/claims/server/decide-claim.ts'
import { makeClaim } from '#features/claims/server/make-claim.ts'
import { system, userAuthor } from '../server/platform/author.ts'
import { dayIn } from '../server/platform/time/days.ts'
import { type Harbor, type Story, toMoment } from './story.ts'

/** Days before today on which a stranger paid, whom two partners claim. */
const PAID = 6
const payer = 'accounts@okaforsons.example'

/**
 * Plans claims of missing sales: one is clear, another partner names the same sale, for one
 * nothing is found, and one was refused.
 */
export function planClaims(story: Story, { account, owner, partners }: Harbor) {
  const { course, before } = story
  const idOf = (code: string) => partners.get(code)!

  course.at(before(9.4), async (tx) => {
    const given = { orderId: 'HA-20417', note: 'They signed up at my workshop in spring.' }
    const { id } = await makeClaim(tx, system, account, idOf('jane'), given)
    course.at(before(8.3), async (tx) => {
      await refuseClaim(tx, userAuthor(owner), account, id, { reason: 'We found no order with this number.' })
    })
  })
  course.at(before(4.6), async (tx) => {
    const day = dayIn(account.timeZone, toMoment(story, PAID))
    const note = 'Mr. Okafor bought the team plan after our call, from another computer.'
    await makeClaim(tx, system, account, idOf('jane'), { email: payer, day, note })
  })
  course.at(before(2.4), async (tx) => {
    const note = 'Ordered at our stand at the spring fair.'
    await makeClaim(tx, system, account, idOf('jane'), { orderId: 'HA-20561', note })
  })
  course.at(before(1.5), async (tx) => {
    const { externalId: orderId } = await tx.one<{ externalId: string }>`
      select external_id from sales
      where account_id = ${account.id} and payer_email = ${payer} and external_id is not null`
    await makeClaim(tx, system, account, idOf('lena-fischer'), {
      orderId,
      note: 'My client, from the invoice they sent me.',
    })
  })
}
